// The lobby: it keeps its lists up to date, and asks for matches.
import {$, address, ask, insist, keep, kept, listen, make, Problem, takeFragment, trouble, visible} from './common.js';

const token = takeFragment().replace(/^token=/, '');
if (token) keep('secret', token);

// The lists follow those of umpire. One in which the focus is stays as it is until it has
// gone elsewhere.
const lists = new Map();

function show() {
	for (const [id, text] of lists) {
		const shown = $(id), now = make('template');
		if (shown.contains(document.activeElement)) continue;
		now.innerHTML = text; // by umpire, which has escaped what is not its own
		lists.delete(id);
		if (!('later' in shown.dataset)) shown.replaceWith(now.content.firstElementChild);
	}
}
document.addEventListener('focusout', () => setTimeout(show));

async function keepUp() {
	const headers = {'Last-Event-ID': document.querySelector('main').dataset.lists};
	if (kept('secret')) headers.Authorization = 'Bearer ' + kept('secret');
	try {
		await listen('api/v1/lobby/events', headers, (_, changed) => {
			for (const id in changed) lists.set(id, changed[id]);
			show();
		});
	} catch (error) {
		trouble('These lists are not up to date: ' + error.message);
	}
}

const form = $('order');

function option(value, text) {
	const out = make('option', '', visible(text || value));
	out.value = value;
	return out;
}

// offerSeats shows who may sit where.
let bots = [];
async function offerGame() {
	const game = $('game').selectedOptions[0];
	$('many').replaceChildren();
	for (let n = Number(game.dataset.min); n <= Number(game.dataset.max); n++) $('many').append(option(n, String(n)));
	$('many').closest('.field').hidden = $('many').length === 1;
	const {bots: found} = await insist(() => ask('games/' + game.value, {secret: kept('secret')}));
	const players = await insist(() => ask('players', {secret: kept('secret')}));
	if (game !== $('game').selectedOptions[0]) return;
	bots = found.map((bot) => option(bot.name, bot.name + (bot.about ? ': ' + bot.about : '')));
	bots.push(...players.filter((p) => p.online).map((p) => option('remote:' + p.name, p.name + ' (a player’s program)')));
	offerSeats();
}

function offerSeats() {
	const rows = [];
	for (let n = 1; n <= Number($('many').value); n++) {
		const row = make('p', 'field'), label = make('label', '', 'Seat ' + n), list = make('select');
		list.id = 'seat' + n;
		label.htmlFor = list.id;
		list.append(option('me', 'you'), ...bots.map((bot) => bot.cloneNode(true)), option('guest', 'another person'));
		list.value = n === 1 || !bots.length ? 'me' : bots[0].value;
		row.append(label, list);
		rows.push(row);
	}
	$('seats').replaceChildren($('seats').firstElementChild, ...rows);
}

function drawSecret() {
	const known = kept('secret') !== '';
	$('secret').required = !known;
	$('secret').closest('.field').hidden = known;
	$('forget').hidden = !known;
}

const refusal = (text) => {
	$('refusal').textContent = text;
	$('refusal').hidden = !text;
};

async function order() {
	const secret = kept('secret') || $('secret').value.trim(), me = $('name').value;
	const people = {me: 'human:' + me, guest: 'human:guest'};
	const seats = [...$('seats').querySelectorAll('select')].map((list) => people[list.value] || list.value);
	refusal('');
	try {
		const made = await ask('matches', {method: 'POST', secret, body: {game: $('game').value, seats}});
		keep('secret', secret);
		localStorage.setItem('umpire name', me);
		drawSecret();
		go(made, people.me.slice('human:'.length));
	} catch (error) {
		if (error.status === 401) {
			keep('secret', '');
			drawSecret();
		}
		refusal(error instanceof Problem ? error.message : 'umpire does not answer');
	}
}

// go leads to the seat of the person who has asked for the match, once the links
// of others have been shown.
function go(made, me) {
	const seat = (link) => address(link.slice(link.lastIndexOf('/play/') + 1));
	const links = made.seats.filter((seat) => seat.link), own = links.filter((seat) => seat.player === me);
	if (links.length === 1 && own.length === 1) {
		location.assign(seat(own[0].link));
		return;
	}
	const watch = make('a', '', 'Look at the match');
	watch.href = 'matches/' + made.id;
	const rows = links.map((one) => {
		const link = make('a', '', 'Seat ' + one.seat + ', for ' + one.player);
		link.href = seat(one.link);
		return link;
	});
	$('links').replaceChildren(...[...rows, watch].map((link) => {
		const item = make('li');
		item.append(link);
		return item;
	}));
	$('links').hidden = false;
	$('links').querySelector('a').focus();
}

if (form && $('game').length) {
	$('new').hidden = false;
	$('name').value = localStorage.getItem('umpire name') || '';
	drawSecret();
	$('game').addEventListener('change', () => offerGame().catch((error) => refusal(error.message)));
	$('many').addEventListener('change', offerSeats);
	$('forget').addEventListener('click', () => {
		keep('secret', '');
		drawSecret();
		$('secret').focus();
	});
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		order();
	});
	offerGame().catch((error) => refusal(error.message));
}
keepUp();
