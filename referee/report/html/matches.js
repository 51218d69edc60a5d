'use strict';
(() => {
	const data = JSON.parse(document.getElementById('data').textContent);
	const $ = (id) => document.getElementById(id);
	const names = ['bot', 'opponent', 'result', 'verdict', 'case', 'order'];
	const size = 100; // matches shown at a time
	const ok = data.verdicts.indexOf('ok');
	const replays = replaysOf(data.units);
	const resultOf = (seats, seat) => seat.place !== 1 ? 'lost' : seats.some((s) => s !== seat && s.place === 1) ? 'drawn' : 'won';

	let shown = [], at = 0;
	function filter() {
		const bot = Number($('bot').value) - 1, opponent = Number($('opponent').value) - 1;
		const result = $('result').value, verdict = $('verdict').value, text = $('case').value.toLowerCase();
		const number = data.verdicts.indexOf(verdict);
		const cases = data.cases.map((name) => name.toLowerCase() === text || name.toLowerCase().includes(text));
		const exact = data.cases.some((name) => name.toLowerCase() === text);
		if (exact) data.cases.forEach((name, i) => { cases[i] = name.toLowerCase() === text; });
		const wanted = (seats, seat) => (bot < 0 || seat.bot === bot) && (!result || seat.place > 0 && resultOf(seats, seat) === result) &&
			(!verdict || (verdict === 'failed' ? seat.verdict !== ok : seat.verdict === number)) &&
			(opponent < 0 || seats.some((s) => s !== seat && s.bot === opponent));
		shown = [];
		data.rows.forEach((row, n) => {
			if (!cases[row[0]]) return;
			const seats = seatsOf(row);
			if (seats.some((seat) => wanted(seats, seat))) shown.push(n);
		});
		sort($('order').value);
		at = 0;
		draw();
	}

	// By how much the first was ahead of the second; of a seat alone its score.
	function margin(n) {
		const [first, second] = seatsOf(data.rows[n]).sort((a, b) => a.place - b.place);
		return second ? Math.abs(first.score - second.score) : first.score;
	}
	// Where a seat failed, or none played, margins say nothing: these matches come last.
	const decided = (n) => seatsOf(data.rows[n]).every((seat) => seat.verdict === ok);
	const margins = (sign) => (n) => decided(n) ? sign * margin(n) : Infinity;
	function sort(order) {
		const cases = () => data.cases.map((_, i) => i).sort((a, b) => data.cases[a].localeCompare(data.cases[b])).reduce((rank, i, place) => (rank[i] = place, rank), []);
		const key = {case: (rank => (n) => rank[data.rows[n][0]])(cases()), closest: margins(1), widest: margins(-1)}[order];
		if (!key) return;
		const keys = new Map(shown.map((n) => [n, key(n)]));
		shown.sort((a, b) => keys.get(a) - keys.get(b) || a - b);
	}

	function drawSeat(seat, i, tied) {
		const out = make('span', 'seated' + (seat.place === 1 ? ' first' : ''));
		const bot = data.bots[seat.bot] === undefined ? '?' : data.bots[seat.bot];
		out.append(make('span', 'number', i + 1), ' ', make('bdi', '', bot), ' ', make('b', '', seat.score));
		if (seat.place === 1) out.append(' ', make('span', 'mark', tied ? 'tie' : 'first'));
		if (seat.verdict !== ok) out.append(' ', make('span', 'badge', data.verdicts[seat.verdict]));
		return out;
	}

	function drawRow(n) {
		const row = data.rows[n], line = make('tr'), link = make('a', '', data.first + n), seats = make('td', 'seats');
		link.href = replays[n];
		link.setAttribute('aria-label', 'Play back match ' + (data.first + n));
		const number = make('td', 'n');
		number.append(link);
		const all = seatsOf(row), tied = all.filter((seat) => seat.place === 1).length > 1;
		all.forEach((seat, i) => seats.append(drawSeat(seat, i, tied), ' '));
		line.append(number, make('td', 'case', data.cases[row[0]]), seats);
		return line;
	}

	function draw() {
		$('rows').replaceChildren(...shown.slice(at, at + size).map(drawRow));
		const last = Math.min(shown.length, at + size);
		$('count').textContent = shown.length === 0 ? 'No match is like that.' :
			(at + 1) + ' to ' + last + ' of ' + shown.length + (shown.length === 1 ? ' match' : ' matches');
		$('earlier').disabled = at === 0;
		$('later').disabled = last === shown.length;
	}

	const changed = () => {
		filter();
		const set = names.filter((name) => $(name).value);
		const address = set.map((name) => name + '=' + encodeURIComponent($(name).value)).join('&');
		clearTimeout(timer);
		timer = setTimeout(() => history.replaceState(null, '', '#' + address), 300);
	};
	let timer = 0;
	const fromAddress = () => {
		const wanted = new URLSearchParams(location.hash.slice(1));
		for (const name of names) $(name).value = wanted.get(name) || '';
		filter();
	};
	for (const name of names) $(name).oninput = changed;
	$('filters').onsubmit = (event) => event.preventDefault();
	$('filters').onreset = () => setTimeout(changed);
	$('earlier').onclick = () => { at = Math.max(0, at - size); draw(); };
	$('later').onclick = () => { at += size; draw(); };
	window.onhashchange = fromAddress;
	fromAddress();
})();
