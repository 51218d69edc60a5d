// The page on which a person plays. It gets the picture, the choices and the
// lines from umpire, and knows nothing else of the game.
import {$, address, ask, colourOf, draw, drawScore, entitle, faultOf, foldRules, follow, insist, keep, kept, log, make, nameOf, nextMatch, noNextMatch, resigned, runClocks, seconds, showReplay, stayAfterEnd, takeFragment, toViewer, trouble, verdict, visible} from './common.js';

const match = document.body.dataset.match;
const wait = 25; // seconds that a request may wait
const name = 'ticket ' + match;
const ticket = takeFragment() || kept(name);
keep(name, ticket);

let seat = 0, turn = 1, owed = false, ended = false, replay = '', stop = new AbortController();
const say = (text) => { if ($('status').textContent !== text) $('status').textContent = text; };

// One tab plays: the one that was opened last.
const tabs = new BroadcastChannel('umpire ' + location.pathname);
const superseded = 'This seat is being played in another tab or window. This one has stopped.';
tabs.onmessage = () => { if (!ended) halt(superseded, true); };

function halt(why, again) {
	stop.abort();
	owed = false;
	offer([], false);
	say(why);
	entitle('');
	trouble('');
	runClocks([]);
	$('leaving').hidden = true;
	$('again').hidden = !again;
}

const request = (k, options) => insist(
	() => ask(`seat/turns/${k}?wait=${wait}&board&replay`, {secret: ticket, wait, signal: stop.signal, ...options}), stop.signal);

// refused explains why the match can't continue on this page.
function refused(error) {
	if (stop.signal.aborted) return;
	if (error.code === 'superseded') halt(superseded, true);
	else if (error.code === 'ticket') gone();
	else halt('The match can’t continue here: ' + error.message + '.', true);
}

// gone says what has become of a match whose seat umpire knows no more.
async function gone() {
	halt('This seat can no longer be played: the match is over, or the link is not complete.', false);
	goToNext();
	try {
		const {state, detail} = await ask('matches/' + match, {secret: ticket});
		if (state === 'void') voided(detail);
	} catch (error) {
		if (error.status === 404) voided('the server was started again, and knows it no more');
	}
}

function voided(detail) {
	say('This match does not count: ' + detail + '.');
	entitle('Void');
}

async function start() {
	$('again').hidden = true;
	stop = new AbortController();
	tabs.postMessage('here');
	say('Waiting for the other players.');
	try {
		const info = await insist(() => ask('seat', {secret: ticket, signal: stop.signal}), stop.signal);
		sit(info);
		$('moves').replaceChildren();
		$('lines').textContent = '';
		known = 0;
		follow(match, ticket, {see, owes}, stop.signal).then(cutOff, cutOff); // the turns say what is wrong
		await goOn(await request(turn = 1));
	} catch (error) {
		refused(error);
	}
}

function sit(info) {
	seat = info.seat;
	for (const box of document.querySelectorAll('.seat')) {
		box.querySelector('.you').textContent = Number(box.dataset.seat) === seat ? '(you)' : '';
	}
	const {time_ms: time, move_ms: move} = info;
	const limits = [time > 0 ? seconds(time) + ' in all' : '', move > 0 ? seconds(move) + ' for each reply' : ''].filter((part) => part);
	$('hint').textContent = 'Click a marked part of the board, or choose below. ' +
		(limits.length ? 'Programs have ' + limits.join(', ') + '; people are not charged for time.' : '');
	$('leaving').hidden = false;
}

// see takes what everybody sees: while a reply is owed the board is one's own.
function see(event) {
	log(event);
	if (event.fail && event.seat === seat) cutOff({});
	step = event.step;
	if (!event.state) return;
	if (!owed) draw(event.svg, event.text);
	toViewer((v) => v.show(event.state, step, 0));
}

// cutOff asks what has become of a reply that is not owed any more: it took too
// long, or the match was ended.
async function cutOff({state, detail}) {
	if (ended) return;
	if (state === 'void') return end({state, detail});
	if (!owed) return;
	owed = false;
	offer([], false);
	try {
		await goOn(await request(turn));
	} catch (error) {
		refused(error);
	}
}

// owes takes who is to move.
let others = 'the other players';
function owes(seats) {
	others = seats.filter((n) => n !== seat).map(nameOf).join(' and ') || 'the other players';
	if ($('status').textContent.startsWith('Waiting for')) waiting();
}

function waiting() {
	say('Waiting for ' + others + '.');
	entitle('Waiting for ' + others);
}

// goOn follows the turns until a reply is owed or the match has ended.
async function goOn(info) {
	for (; ; info = await request(turn)) {
		verdict(seat, info.verdict, info.detail);
		if (info.state === 'move') return begin(info);
		if (info.state === 'over' || info.state === 'void') return end(info);
		if (info.state === 'done') {
			heard(info);
			turn++;
		} else {
			if (info.verdict === 'ok') waiting();
			else say(out(seat, info.verdict, info.detail) + ' The match goes on without you.');
		}
	}
}

const out = (who, kind, why) => {
	const fault = faultOf(kind, why), mine = who === seat;
	return (mine ? 'You' : nameOf(who)) + (fault === resigned ? ' resigned.' : ` ${mine ? 'were' : 'was'} out: ${fault}.`);
};

// heard adds a turn's lines to the list, once.
let known = 0;
const heard = (info) => {
	if (!info.lines.length || info.turn <= known) return;
	known = info.turn;
	for (const line of info.lines) $('lines').append(visible(line) + '\n');
};

// look shows the position as the seat sees it.
let step = 0;
function look(board) {
	if (!board) return;
	draw(board.svg, board.text);
	if (board.state) toViewer((v) => v.show(board.state, step, seat));
}

function begin(info) {
	heard(info);
	owed = true;
	turn = info.turn;
	look(info.board);
	const colour = colourOf(seat);
	say('Your move.' + (colour ? ` You are ${colour}.` : ''));
	offer(info.board ? info.board.choices : [], true);
}

// offer shows what may be replied.
let offered = [];
function offer(choices, open) {
	offered = choices;
	toViewer((v) => v.offer(open ? choices : [], reply));
	if (open) entitle('Your move', true);
	refuse('');
	const list = $('choices');
	const lost = document.activeElement === document.body || $('reply').contains(document.activeElement);
	$('reply').hidden = !open;
	$('text').disabled = !open;
	list.replaceChildren(...choices.map((choice) => {
		const button = make('button', '', choice.label);
		button.type = 'button';
		button.dataset.choice = choice.reply;
		button.onclick = () => {
			typing = false;
			reply(choice.reply);
		};
		return button;
	}));
	document.body.classList.toggle('owed', open);
	if (!open || !lost || !keyboard) return;
	if (typing || !choices.length) $('text').focus();
	else list.firstElementChild.focus();
}

// The focus is moved for those who use the keyboard alone, back to where they
// gave their last reply.
let keyboard = false, typing = false;
addEventListener('keydown', () => { keyboard = true; }, true);
addEventListener('pointerdown', () => { keyboard = false; }, true);

// refuse says why what was typed is not sent; '' when that is past.
function refuse(why) {
	$('refused').textContent = why;
	$('refused').hidden = !why;
}

async function reply(text) {
	if (!owed) return;
	owed = false;
	say('Sending ' + (visible(text) || 'an empty line') + '…');
	$('text').value = '';
	const k = turn;
	offer([], false);
	try {
		const next = await request(k, {method: 'PUT', body: {reply: text}});
		turn = k + 1;
		await goOn(next);
	} catch (error) {
		// Another tab has replied first: that reply counts.
		if (error.code === 'answered') goOn({state: 'done', lines: [], verdict: 'ok'}).catch(refused);
		else refused(error);
	}
}

// outcome says how the match ended for the person, and why.
function outcome(results) {
	const mine = results[seat - 1], others = results.filter((r) => r !== mine);
	const said = ['The match is over.'];
	if (others.length) {
		const level = others.filter((r) => r.place === mine.place).length;
		if (!mine.place) said.push('You have no place.');
		else if (level === others.length) said.push('It is a tie.');
		else if (mine.place === 1) said.push(level ? 'You share the first place.' : 'You have won.');
		else said.push(results.length === 2 ? 'You have lost.' : `You are in place ${mine.place} of ${results.length}.`);
	}
	said.push(`Your score is ${mine.score}` + (others.length === 1 ? `, and that of ${nameOf(others[0].seat)} is ${others[0].score}.` : '.'));
	return [...said, ...results.filter((r) => r.verdict !== 'ok').map((r) => out(r.seat, r.verdict, r.detail))].join(' ');
}

function end(info) {
	if (ended) return;
	ended = true;
	if (info.lines) heard(info);
	stayAfterEnd();
	setTimeout(() => stop.abort(), 2000); // until then the list of moves becomes complete
	replay = info.replay || '';
	owed = true; // the board stays as the seat sees it
	look(info.board);
	offer([], false);
	$('leaving').hidden = true;
	goToNext();
	runClocks([]);
	trouble('');
	if (info.state === 'void') {
		stop.abort();
		return voided(info.detail);
	}
	say(outcome(info.results));
	entitle('Over');
	$('status').classList.toggle('long', $('status').textContent.length > 80);
	const rows = info.results.map((r) => {
		const row = make('tr'), player = make('td');
		player.append(make('bdi', '', visible(r.player)));
		row.append(make('td', 'n', r.seat), player, make('td', '', faultOf(r.verdict, r.detail)), make('td', 'n', r.score), make('td', 'n', r.place || '–'));
		verdict(r.seat, r.verdict, r.detail);
		drawScore(r.seat, r.score);
		return row;
	});
	$('result').querySelector('tbody').replaceChildren(...rows);
	$('result').hidden = false;
	if (keyboard) $('result-title').focus();
}

// goToNext offers a person who has come by a link for all its matches the next one, which
// begins: how this one has ended stays to be read.
async function goToNext() {
	const key = kept('person'), note = $('next-match');
	if (!key) return;
	note.hidden = false;
	note.textContent = 'Waiting for your next match.';
	try {
		const next = await nextMatch(key);
		if (next) await insist(() => ask('seat/turns/1?wait=0', {secret: next.ticket}));
		note.textContent = next ? 'Your next match has begun. ' : 'umpire has ended.';
		if (!next) return;
		const link = make('a', 'button', 'Play it');
		link.href = address('play/' + next.match);
		note.append(link);
		entitle('Your next match', true);
	} catch (error) {
		note.textContent = noNextMatch(error);
	}
}

const clicked = (event) => {
	const part = event.target.closest('[data-reply]');
	typing = false;
	if (part) reply(part.dataset.reply);
	return part;
};
$('picture').addEventListener('click', clicked);
$('picture').addEventListener('keydown', (event) => {
	if ((event.key === 'Enter' || event.key === ' ') && !event.repeat && clicked(event)) event.preventDefault();
});
$('line').addEventListener('submit', (event) => {
	event.preventDefault();
	typing = true;
	const text = $('text').value.trim(), choice = offered.find((choice) => choice.reply === text);
	if (!offered.length || choice) return reply(choice ? text : $('text').value);
	refuse(`${visible(text) || 'An empty line'} can’t be played now. Choose above, or type one of: ${offered.map((choice) => visible(choice.reply)).join(', ')}`);
	$('text').select();
});
$('result').querySelector('a').addEventListener('click', (event) => {
	if (!replay || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
	event.preventDefault();
	showReplay(match, replay, 0);
	$('play').focus();
});
$('again').firstElementChild.addEventListener('click', start);

const sure = (open) => {
	$('sure').hidden = !open;
	$('leave').hidden = open;
	$(open ? 'stay' : 'leave').focus();
};
$('leave').addEventListener('click', () => sure(true));
$('stay').addEventListener('click', () => sure(false));
$('leave-sure').addEventListener('click', async () => {
	const waits = !owed; // a request waits, and will hear what comes of it
	$('sure').hidden = $('leaving').hidden = true;
	owed = false;
	offer([], false);
	try {
		await insist(() => ask('seat', {method: 'DELETE', secret: ticket, signal: stop.signal}), stop.signal);
		if (!waits) await goOn(await request(turn));
	} catch (error) {
		refused(error);
	}
});

foldRules();
if (ticket) start();
else halt('To play, open the link that you were given as a whole: what follows its # is the seat’s ticket.', false);
