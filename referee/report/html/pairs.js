'use strict';
// Two bots, which the address names as in #1,2, case by case.
unpack('data', (data) => {
	const $ = (id) => document.getElementById(id), ok = data.verdicts.indexOf('ok');
	const replays = replaysOf(data.units), most = 1000; // rows
	const alone = location.protocol === 'blob:'; // the page is no file, so no other lies beside it
	const name = (bot) => make('bdi', '', data.bots[bot]);
	const number = (halves) => (halves % 2 ? (halves > 1 ? (halves - 1) / 2 : '') + '½' : String(halves / 2));

	// meetings lists the matches of two bots from the first one's view.
	function meetings(a, b) {
		const list = [];
		data.rows.forEach((row, n) => {
			const seats = seatsOf(row), mine = seats.find((s) => s.bot === a), other = seats.find((s) => s.bot === b && s !== mine);
			if (!mine || !other || !mine.place || !other.place) return;
			list.push({n, at: row[0], mine, other, halves: mine.place < other.place ? 2 : mine.place === other.place ? 1 : 0});
		});
		return list;
	}

	// The matches of a case stand side by side: on the left those in which the first of the
	// two sat before the other.
	function rowsOf(list) {
		const rows = [];
		for (const at of new Set(list.map((m) => m.at))) {
			const sides = [true, false].map((before) => list.filter((m) => m.at === at && (m.mine.seat < m.other.seat) === before));
			for (let i = 0; i < Math.max(sides[0].length, sides[1].length); i++) rows.push({at, pair: sides.map((side) => side[i])});
		}
		return rows;
	}

	const score = (m) => m.mine.score + ' : ' + m.other.score;
	function frames(row, line) {
		const beside = row.pair.filter(Boolean).map((m) => {
			const figure = make('figure'), caption = make('figcaption', 'small'), frame = make('iframe'), link = make('a', '', 'Match ' + (data.first + m.n));
			link.href = replays[m.n];
			caption.append(link, ', ', name(m.mine.bot), ' in seat ' + m.mine.seat + ', ' + score(m));
			frame.title = 'Match ' + (data.first + m.n);
			figure.append(caption);
			if (!alone) {
				frame.src = replays[m.n] + '#embed';
				figure.append(frame);
			}
			return figure;
		});
		$('case').textContent = data.cases[row.at];
		$('beside').replaceChildren(...beside);
		for (const other of $('rows').rows) other.removeAttribute('aria-current');
		line.setAttribute('aria-current', 'true');
	}

	function cell(m, row, line) {
		const out = make('td', 'heat ' + (m ? ['h0', 'h4', 'h8'][m.halves] : ''));
		if (!m) return out;
		const link = make('a', '', score(m));
		link.href = replays[m.n];
		link.setAttribute('aria-label', score(m) + ', match ' + (data.first + m.n));
		link.onclick = (event) => {
			if (event.ctrlKey || event.metaKey || event.shiftKey) return;
			event.preventDefault();
			frames(row, line);
			$('beside').scrollIntoView({block: 'nearest'});
		};
		out.append(link);
		for (const s of [m.mine, m.other]) if (s.verdict !== ok) out.append(' ', make('span', 'badge', data.verdicts[s.verdict]));
		return out;
	}

	// How sure it is which of two is the stronger one.
	function sure(a, b) {
		const found = (data.sure || []).find(([i, j]) => i === a && j === b || i === b && j === a);
		if (!found) return '';
		const share = found[0] === a ? found[2] : 1000 - found[2], best = Math.max(share, 1000 - share);
		return [' ', name(share >= 500 ? a : b), ' is the stronger one with a probability of ' + (best > 999 ? 'over 99.9' : best > 990 ? best / 10 : Math.round(best / 10)) + ' %.'];
	}

	function show(a, b) {
		const list = a === b ? [] : meetings(a, b), rows = rowsOf(list);
		const count = (halves) => list.filter((m) => m.halves === halves).length;
		const sum = (side) => Math.round(list.reduce((all, m) => all + m[side].score, 0) * 1e6) / 1e6;
		$('title').replaceChildren(name(a), ' against ', name(b));
		$('sum').replaceChildren(name(a), list.length ? ` won ${count(2)}, drew ${count(1)} and lost ${count(0)} of ${list.length} matches; score ${sum('mine')} : ${sum('other')}.` : ' and ', ...(list.length ? sure(a, b) : [name(b), ' have not met.']));
		$('matches').href = 'matches.html#bot=' + (a + 1) + '&opponent=' + (b + 1);
		$('before').replaceChildren(name(a), ' sits first');
		$('after').replaceChildren(name(b), ' sits first');
		const lines = rows.slice(0, most).map((row) => {
			const line = make('tr'), halves = row.pair.reduce((all, m) => all + (m ? m.halves : 0), 0), played = row.pair.filter(Boolean).length;
			line.append(make('td', 'case', data.cases[row.at]), ...row.pair.map((m) => cell(m, row, line)), make('td', 'n', number(halves) + ' of ' + played));
			return line;
		});
		$('rows').replaceChildren(...lines);
		$('more').textContent = rows.length > most ? rows.length - most + ' more are left out; the list of their matches has all.' : '';
		for (const part of document.querySelectorAll('.met')) part.hidden = !rows.length;
		if (rows.length) frames(rows[0], lines[0]);
	}

	const chosen = () => [Number($('a').value), Number($('b').value)];
	const choose = (a, b) => {
		$('a').value = a;
		$('b').value = b;
		show(a, b);
	};
	const fromAddress = () => {
		const [, a, b] = /^#(\d{1,7}),(\d{1,7})$/.exec(location.hash) || [0, 1, 2], last = data.bots.length - 1;
		choose(...[a, b].map((n) => Math.min(last, Math.max(0, n - 1))));
	};
	const changed = () => {
		show(...chosen());
		history.replaceState(null, '', '#' + chosen().map((n) => n + 1));
	};
	for (const id of ['a', 'b']) {
		$(id).append(...data.bots.map((bot, n) => {
			const option = make('option', '', bot);
			option.value = n;
			return option;
		}));
		$(id).onchange = changed;
	}
	$('swap').onclick = () => {
		choose(...chosen().reverse());
		changed();
	};
	window.onhashchange = fromAddress;
	fromAddress();
});
