// What the pages share: requests, secrets, pictures and the list of moves. No
// page knows a game.

import {crop, paintSeat, scoreIn} from './board.js';

const root = new URL('../..', import.meta.url);

export const $ = (id) => document.getElementById(id);

export function make(name, className, text) {
	const element = document.createElement(name);
	if (className) element.className = className;
	if (text !== undefined) element.textContent = text;
	return element;
}

export const address = (path) => new URL(path, root).href;

// The tab's title says whose turn it is; mine: that of who looks at it.
let title = document.title;
export const entitle = (text, mine) => { document.title = (mine ? '● ' : '') + (text ? text + ' – ' : '') + title; };

// Secrets are kept for this tab alone, so that the page can be loaded again.
const place = (name) => 'umpire ' + root.pathname + ' ' + name;
export const kept = (name) => sessionStorage.getItem(place(name)) || '';
export function keep(name, secret) {
	if (secret) sessionStorage.setItem(place(name), secret);
	else sessionStorage.removeItem(place(name));
}

// secretToSee is what a page about a match sends along: a seat's ticket serves
// as well.
export const secretToSee = (match) => kept('secret') || kept('ticket ' + match);

// takeFragment returns the fragment of the address and erases it. A link to this page with
// another one does not load it again: that is done here.
export function takeFragment() {
	const here = location.pathname;
	addEventListener('hashchange', () => { if (location.hash && location.pathname === here) location.reload(); });
	const text = location.hash.slice(1);
	if (text) history.replaceState(null, '', location.pathname + location.search);
	try {
		return decodeURIComponent(text);
	} catch {
		return text; // a % that begins no code
	}
}

// Problem is an answer that says why a request was refused.
export class Problem extends Error {
	constructor(status, code, message) {
		super(message);
		this.status = status;
		this.code = code;
	}
	// passes reports whether the same request may succeed later.
	get passes() { return this.status === 429 || this.status >= 500; }
}

async function problemOf(answer) {
	try {
		const {error} = await answer.json();
		return new Problem(answer.status, error.code, error.message);
	} catch {
		return new Problem(answer.status, '', 'the answer was ' + answer.status);
	}
}

// ask makes one request of the interface.
export async function ask(path, {method = 'GET', body, secret, wait = 0, signal} = {}) {
	const headers = {};
	if (secret) headers.Authorization = 'Bearer ' + secret;
	if (body) headers['Content-Type'] = 'application/json';
	const patience = AbortSignal.timeout((wait + 20) * 1000);
	const answer = await fetch(address('api/v1/' + path), {
		method, headers, body: body && JSON.stringify(body), cache: 'no-store',
		signal: signal ? AbortSignal.any([signal, patience]) : patience,
	});
	if (!answer.ok) throw await problemOf(answer);
	return answer.json();
}

let since = 0; // when umpire first failed to answer; 0: it answers

// trouble shows what is wrong; '' when nothing is any more.
export function trouble(text) {
	if (!text) since = 0;
	const note = $('trouble');
	if (note.textContent !== text) note.textContent = text;
	note.hidden = !text;
}

const pause = (ms, signal) => new Promise((resolve) => {
	setTimeout(resolve, ms);
	addEventListener('online', resolve, {once: true, signal});
	signal?.addEventListener('abort', resolve, {once: true});
});

// insist calls f until it succeeds or is refused for good. Every request may be
// repeated, whether it was heard or not. After five minutes umpire has probably ended.
export async function insist(f, signal) {
	for (let tries = 0; ; tries++) {
		try {
			const answer = await f();
			if (tries) trouble('');
			return answer;
		} catch (error) {
			if (signal?.aborted || error instanceof Problem && !error.passes) throw error;
			const busy = error.code === 'rate', late = !busy && Date.now() - (since ||= Date.now()) > 300000;
			stopClocks();
			if (!busy) trouble(error.code === 'stopping' ? 'umpire is about to end. Trying again…' : `umpire does not answer${late ? ', and may have ended. Trying again once a minute…' : '. Trying again…'}`);
			await pause(busy ? 1000 : late ? 60000 : Math.min(5000, 500 * 2 ** tries), signal);
			if (signal?.aborted) throw error;
		}
	}
}

// nextMatch waits for the next seat of the person with the key, and keeps its ticket. It
// returns what umpire says of the seat, or undefined if umpire ends before there is one.
export async function nextMatch(key) {
	const wait = 25; // seconds that a request may wait
	for (;;) {
		const seat = await insist(async () => {
			try {
				return await ask('join', {method: 'POST', body: {wait}, secret: key, wait});
			} catch (error) {
				if (error.code === 'stopping') return undefined;
				throw error;
			}
		});
		if (seat && seat.state === 'seated') keep('ticket ' + seat.match, seat.ticket);
		if (!seat || seat.state === 'seated') return seat;
	}
}

// noNextMatch says why a person's next match can't be waited for.
export function noNextMatch(error) {
	if (error.code === 'superseded') return 'Your next match is waited for in another tab or window. This one has stopped.';
	if (error.status === 401) return 'This link is not accepted: ask for another one.';
	return 'Your next match can’t be waited for: ' + error.message + '.';
}

// follow calls see with each event of a match until the match has ended, and
// owes with the seats that owe a reply; it returns what the match ended with,
// with the replay if that is wanted. While the tab is hidden nothing is read:
// browsers allow a server only so many connections, of all tabs together.
export async function follow(match, secret, {see, owes, replay = false}, signal) {
	const headers = secret ? {Authorization: 'Bearer ' + secret} : {};
	const path = 'api/v1/matches/' + encodeURIComponent(match) + '/events?page' + (replay ? '&replay' : '');
	const take = (kind, data) => {
		if (kind === 'position') see(data);
		else if (kind === 'clock') {
			runClocks(data.clocks);
			owes(data.clocks.map((clock) => clock.seat));
		}
	};
	return listen(path, headers, take, signal);
}

// listen calls take with the kind and the data of each event of a stream, until that
// ends a match. It keeps the id of the last one in the headers.
export const listen = (path, headers, take, signal) => insist(async () => {
	for (;;) {
		while (document.hidden) await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, {once: true}));
		const away = new AbortController(), leave = () => { if (document.hidden) away.abort(); };
		document.addEventListener('visibilitychange', leave);
		try {
			return await read(path, headers, take, signal ? AbortSignal.any([signal, away.signal]) : away.signal);
		} catch (error) {
			if (!away.signal.aborted || signal?.aborted) throw error;
		} finally {
			document.removeEventListener('visibilitychange', leave);
		}
	}
}, signal);

// read reads a match's events from where the headers say on.
async function read(path, headers, take, signal) {
	const answer = await fetch(address(path), {headers, cache: 'no-store', signal});
	if (!answer.ok) throw await problemOf(answer);
	trouble('');
	const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
	for (let text = ''; ;) {
		const {value, done} = await reader.read();
		if (done) throw new Error('the stream broke off');
		text += value;
		const events = text.split('\n\n');
		text = events.pop();
		for (const event of events) {
			const {kind, data} = parse(event, headers);
			if (kind === 'over' || kind === 'void') {
				runClocks([]);
				return data;
			}
			if (data) take(kind, data);
		}
	}
}

// parse reads one event, and keeps its id for when the stream has broken off.
function parse(event, headers) {
	const fields = {};
	for (const line of event.split('\n')) {
		const at = line.indexOf(': ');
		if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
	}
	if (fields.id) headers['Last-Event-ID'] = fields.id;
	return {kind: fields.event, data: fields.data && JSON.parse(fields.data)};
}

// draw shows a picture, read as XML. Its style sheet is that of the page.
let drawn = '';
export function draw(svg, text) {
	const picture = $('picture');
	const markup = svg ? svg.replace(/<style>[^]*?<\/style>/, '') : '';
	if (markup && markup === drawn) return;
	drawn = markup;
	loadLater();
	if (markup) {
		const focus = picture.contains(document.activeElement) && document.activeElement.dataset.key;
		const shown = crop(document.adoptNode(new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement));
		picture.replaceChildren(shown);
		if (shown.dataset.board) drawBeside(shown);
		if (focus) picture.querySelector(`[data-key="${CSS.escape(focus)}"][data-reply]`)?.focus();
	} else {
		const plain = make('pre', '', text);
		plain.tabIndex = 0;
		plain.setAttribute('role', 'region');
		plain.setAttribute('aria-label', 'Position');
		picture.replaceChildren(plain);
	}
}

// drawBeside shows what a picture says beside its board: scores, and what happened.
function drawBeside(svg) {
	for (const card of document.querySelectorAll('.seat')) {
		const score = [...scoreIn(svg, card.dataset.seat)?.querySelectorAll('text') || []].find((text) => /^\d+$/.test(text.textContent))?.textContent || '';
		drawScore(card.dataset.seat, score, svg.dataset.unit);
		paintSeat(svg, card);
	}
	$('caption').textContent = [...svg.querySelectorAll('[data-key=caption] text')].map((line) => line.textContent).join(' ');
}

// drawScore shows a seat's score.
export const drawScore = (seat, score, unit) => seatOf(seat).querySelector('.score').replaceChildren(score, unit ? make('small', 'mute small', ' ' + unit) : '');

// The names of the seats' colours in pictures.
const colours = {f1: 'blue', f2: 'orange', f3: 'green', f4: 'yellow', f5: 'pink', f6: 'violet', f7: 'grey', f8: 'red'};
export const colourOf = (seat) => colours[scoreIn($('picture'), seat)?.querySelector('rect + rect')?.getAttribute('class')] || '';

// toViewer calls f with what shows positions the way the game's author does, if there is
// such a page.
let viewer;
export const toViewer = (f) => { if (document.body.dataset.viewer) (viewer ||= import('./viewer.js')).then(f); };

// visible writes out characters that can't be seen or that turn text around.
export const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => '\\u{' + c.codePointAt(0).toString(16) + '}');

const shorten = (text) => text.length > 60 ? text.slice(0, 59) + '…' : text;

// seconds shows a time in milliseconds.
export const seconds = (ms) => ms < 1000 ? ms + ' ms' : ms < 60000 ? (ms / 1000).toFixed(1) + ' s' :
	Math.floor(ms / 60000) + ' min ' + Math.floor(ms / 1000) % 60 + ' s';

// A page may have been written by another one, with this script loaded already:
// what is on the page is looked up when it is needed.
const seatOf = (seat) => document.querySelector(`.seat[data-seat="${seat}"]`);
export const nameOf = (seat) => seatOf(seat).querySelector('bdi').textContent;

// The clocks: umpire says what is left after each reply, and when a seat begins to
// owe one. Between these events the page lets the clock of that seat run down.
let running = [], ticking = 0;
const whole = {}, low = .2; // the time of each seat, and the share of it that is little

export function clocks(left) {
	left.forEach((ms, i) => { if (ms !== null) drawClock(i + 1, ms); });
}

// drawClock shows what is left of a seat's budget or, without one, how long the reply that it
// owes may take: '' is for ever, undefined that it owes none.
function drawClock(seat, left, idle) {
	const clock = seatOf(seat)?.querySelector('.clock');
	if (!clock) return;
	const text = left >= 0 ? seconds(left) + ' left' : idle ? 'reply within ' + seconds(idle) : idle === '' ? 'no time limit' : '';
	if (clock.textContent !== text) clock.textContent = text;
	clock.classList.toggle('low', (left >= 0 ? left : idle || Infinity) < whole[seat] * low);
}

// runClocks lets the clocks of seats that owe a reply run down, and no others.
export function runClocks(list) {
	const now = performance.now();
	for (const {seat, left_ms: left} of running) if (left < 0) drawClock(seat, left);
	running = list.map((clock) => ({...clock, from: now}));
	for (const {seat, of_ms: of} of list) whole[seat] = of;
	for (const seat of document.querySelectorAll('.seat')) seat.classList.toggle('now', list.some((clock) => clock.seat === Number(seat.dataset.seat)));
	clearInterval(ticking);
	if (running.some((clock) => clock.left_ms >= 0 || clock.idle_ms !== undefined)) ticking = setInterval(tick, 100);
	tick();
}

// stopClocks leaves the clocks as they are: umpire can't say how they go on.
const stopClocks = () => clearInterval(ticking);

function tick() {
	const now = performance.now();
	for (const {seat, left_ms: left, free_ms: free, idle_ms: idle, from} of running) {
		const took = Math.round(now - from);
		drawClock(seat, left < 0 ? left : Math.max(0, left - Math.max(0, took - free)), idle === undefined ? '' : Math.max(1, idle - took));
	}
}

export function verdict(seat, kind, why) {
	const note = seatOf(seat)?.querySelector('.verdict');
	if (note) note.textContent = kind === 'ok' ? '' : faultOf(kind, why);
}

// faultOf says how a seat failed; of a person who left, that it resigned.
export const resigned = 'resigned';
export const faultOf = (kind, why) => kind === 'crash' && why === 'left' ? resigned : kind + (why ? ': ' + visible(why) : '');

// log adds an event to the list of moves.
export function log(event) {
	if (event.seat) running = running.filter((clock) => clock.seat !== event.seat);
	clocks((event.left_ms || []).map((ms, i) => running.some((clock) => clock.seat === i + 1) ? null : ms));
	if (!event.seat) return;
	const item = make('li'), list = $('moves');
	item.append(make('span', 'number', event.seat), ' ');
	const fault = event.fail && (event.resigned ? resigned : event.fail);
	if (fault) item.append(make('span', 'badge', fault));
	else if (event.reply === undefined) item.append(make('span', 'mute', 'played for it, not asked'));
	else item.append(make('b', '', shorten(visible(event.reply)) || 'an empty line'));
	const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8 && list.scrollLeft + list.clientWidth >= list.scrollWidth - 8;
	list.append(item);
	if (list.children.length > 2000) list.firstElementChild.remove();
	if (atEnd) list.scrollTo(list.scrollWidth, list.scrollHeight);
	if (fault) verdict(event.seat, fault);
}

// foldRules closes the rules on a narrow screen, where they are below.
export function foldRules() {
	if (!matchMedia('(min-width: 860px)').matches) $('rules').open = false;
}

// loadLater loads, once a picture is shown, what the page does not need before: the rules
// when they are opened, and what plays the match back, since umpire may end with it.
let loading = false;
function loadLater() {
	if (loading) return;
	loading = true;
	const file = (name) => new URL(name, import.meta.url).href;
	const style = make('link'), script = make('script'), rules = $('rules');
	Object.assign(style, {id: 'replay-style', rel: 'stylesheet', media: 'not all', href: file('replay.css')});
	script.src = file('replay.js');
	document.head.append(style, script);
	if (!rules) return;
	const open = async () => {
		const link = rules.querySelector('a');
		if (!rules.open || !link) return;
		const secret = secretToSee(document.body.dataset.match);
		try {
			const answer = await fetch(link.href, {headers: secret ? {Authorization: 'Bearer ' + secret} : {}});
			const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
			if (answer.ok) rules.querySelector('.text').replaceChildren(...page.getElementById('rules').childNodes);
		} catch {
			// the link to them stays
		}
	};
	rules.addEventListener('toggle', open);
	open();
}

// stayAfterEnd keeps a person on the page of a match that is over if umpire has
// ended with it: the lobby is there no more.
export function stayAfterEnd() {
	document.querySelector('.up').addEventListener('click', async (event) => {
		const link = event.target.closest('a');
		if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		try {
			await fetch(link.href, {method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10000)});
			location.assign(link.href);
		} catch {
			const note = $('ended') || make('p', 'note', 'This umpire has ended, and its other pages with it. This one stays as long as it is open.');
			note.id = 'ended';
			note.setAttribute('role', 'alert');
			document.querySelector('.up').append(note);
		}
	});
}

// showReplay makes this page the one on which the match is played back, which was
// sent when the match ended: umpire itself may have ended with it.
export function showReplay(match, text, step) {
	const page = make('template'), next = $('next-match');
	page.innerHTML = text; // by umpire, which has escaped what is not its own
	history.replaceState(null, '', address('matches/' + match) + '#step=' + step);
	loadLater();
	$('replay-style').media = 'all';
	document.body.className = '';
	document.body.replaceChildren(document.querySelector('.up'), ...next ? [next] : [], page.content);
	title = document.querySelector('.game').textContent + ': ' + document.querySelector('h1.players').textContent;
	entitle('');
	document.dispatchEvent(new Event('replay'));
}
