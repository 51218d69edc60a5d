const playBack = (data) => {
	const texts = data.texts;
	// Steps are stored by fields, where 0 is none.
	const steps = Array.from({length: data.steps.count}, () => ({})), end = steps.length - 1;
	for (const [name, column] of Object.entries(data.steps.columns)) column.forEach((value, i) => { if (value !== 0) steps[i][name] = value; });
	const $ = (id) => document.getElementById(id);
	const make = (name, className, text) => {
		const element = document.createElement(name);
		if (className) element.className = className;
		if (text !== undefined) element.textContent = text;
		return element;
	};
	const time = (us) => us < 1e6 ? (us / 1000).toFixed(3) + ' ms' : (us / 1e6).toFixed(3) + ' s';

	// What holds at each step and is stored as changes alone.
	let head = 0, parts = [], scores = [];
	const costs = data.bots.map(() => 0), failed = data.bots.map(() => '');
	let highest = -1; // of the texts so far; -1 is the next one
	const text = (n) => {
		if (n < 0) n = highest + 1;
		highest = Math.max(highest, n);
		return n;
	};
	const pictured = (change) => {
		if (change.p) {
			head = change.h || 0;
			parts = change.p.map(text);
		} else if (change.d) {
			parts = parts.slice();
			for (let i = 0; i < change.d.length; i += 2) parts[change.d[i]] = text(change.d[i + 1]);
		}
		return {head, parts};
	};
	const at = steps.map((step) => {
		const phases = (step.f || []).map(pictured);
		pictured(step);
		scores = step.r || scores;
		if (step.s) {
			costs[step.s - 1] += step.c || 0;
			if (step.k) failed[step.s - 1] = step.k;
		}
		return {head, parts, phases, scores, costs: costs.slice(), failed: failed.slice()};
	});

	// The picture: of the same root, only the parts that differ are replaced. Each is
	// read as XML, in which nothing but what its author wrote as an element is one.
	const read = (svg) => crop(document.adoptNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement));
	const picture = $('picture');
	const still = matchMedia('(prefers-reduced-motion: reduce)');
	// What is drawn elsewhere than before glides there, along an arrow if there is one; what is
	// new fades in.
	function move(before, after, ms) {
		const {key, from} = after.dataset, to = css(after.getAttribute('transform'));
		if (!after.animate || /^(title|desc|score|caption)/.test(key)) return;
		const arrow = from && picture.querySelector(`[data-key="${CSS.escape(from)}"] .arrow`);
		const begin = css(from || before.getAttribute('transform'));
		if (arrow) after.animate([...along(arrow), {transform: to}], {duration: ms});
		else if (begin !== to && (from || before.firstElementChild)) after.animate([{transform: begin}, {transform: to}], {duration: ms, easing: 'ease-in-out'});
		else if (!before.firstElementChild) after.animate([{opacity: 0}, {opacity: 1}], {duration: ms});
	}
	function along(arrow) {
		const line = arrow.cloneNode(), d = arrow.getAttribute('d');
		line.setAttribute('d', d.slice(0, d.indexOf('M', 1))); // without its head
		return Array.from({length: 12}, (_, i) => line.getPointAtLength(line.getTotalLength() * i / 12)).map(({x, y}) => ({transform: `translate(${x}px, ${y}px)`}));
	}
	const css = (transform) => {
		const [x, y] = (transform || '').match(/-?[\d.]+/g) || [0, 0];
		return `translate(${x}px, ${y || 0}px)`;
	};
	let shown = null;
	function draw(want, ms) {
		const svg = picture.firstElementChild;
		if (want.head && shown && shown.head === want.head && shown.parts.length === want.parts.length) {
			want.parts.forEach((text, i) => {
				if (shown.parts[i] === text) return;
				const before = svg.children[i], after = read(texts[want.head - 1] + texts[text] + '</svg>').firstElementChild;
				before.replaceWith(after);
				if (ms) move(before, after, ms);
			});
		} else if (want.head) {
			picture.replaceChildren(read(texts[want.head - 1] + want.parts.map((i) => texts[i]).join('') + '</svg>'));
		} else {
			const text = make('pre', '', texts[want.parts[0]]);
			text.tabIndex = 0; // it may have to be scrolled
			text.setAttribute('role', 'region');
			text.setAttribute('aria-label', 'Position');
			picture.replaceChildren(text);
		}
		shown = want;
	}
	// wordsOf is what a picture says below the board; '' if the board is all there is.
	const partOf = (want, key) => want.head ? texts[want.parts.find((i) => texts[i].includes(` data-key="${key}"`)) ?? -1] : undefined;
	function wordsOf(want) {
		const part = want.head && texts[want.head - 1].includes(' data-board="') && partOf(want, 'caption');
		return part ? [...read(texts[want.head - 1] + part + '</svg>').querySelectorAll('text')].map((line) => line.textContent).join(' ') : '';
	}

	// The game's author may show positions, too, on a page in a frame: it is told them, and
	// what it says is not heard.
	const frame = data.viewer && make('iframe');
	if (frame) {
		const box = make('div'), other = make('button', 'other', 'Show umpire’s board');
		box.id = 'viewer';
		frame.sandbox = 'allow-scripts';
		frame.title = 'Position, as the author of the game shows it';
		frame.src = data.viewer;
		frame.onload = () => tell();
		other.type = 'button';
		other.onclick = () => {
			frame.hidden = !frame.hidden;
			picture.hidden = !frame.hidden;
			other.textContent = frame.hidden ? 'Show the author’s view' : 'Show umpire’s board';
		};
		box.append(frame, other);
		picture.before(box);
		picture.hidden = true;
	}
	function tell() {
		if (!frame || current < 0) return;
		const {v} = steps[current];
		frame.contentWindow.postMessage({state: v ? JSON.parse(texts[v - 1]) : null, step: current, seat: 0}, '*'); // its origin is nobody's
	}

	const name = (seat) => make('bdi', '', data.bots[seat - 1]);

	// Of an analysis: the mark of a reply that lost something.
	const marks = {inaccuracy: '?!', mistake: '?', blunder: '??'};
	const mark = (name) => {
		const out = make('span', 'mark ' + name, marks[name]);
		out.title = name;
		out.setAttribute('role', 'img');
		out.setAttribute('aria-label', name);
		return out;
	};

	// Where a seat replies several times in a row, that is one turn: the page steps from turn
	// to turn, and stops at the last reply of each.
	const goesOn = (n) => data.bots.length > 1 && n > 0 && n < end && steps[n].s && steps[n].s === steps[n + 1].s && !steps[n].k;
	const stops = [], stopOf = steps.map((_, n) => goesOn(n) ? stops.length : stops.push(n) - 1);
	const stopAt = (n) => stopOf[n];
	const before = (n) => n ? (stops[stopAt(n) - 1] ?? -1) : -1;
	const turn = (n) => {
		const list = [n];
		if (!goesOn(n)) while (list[0] > before(n) + 1) list.unshift(list[0] - 1);
		return list;
	};

	// describe says what happened in the turn that ends at a step: who did what, and how it
	// failed.
	function describe(n, long) {
		const out = make('span', 'what'), step = steps[n], all = turn(n);
		if (step.s) {
			const who = name(step.s);
			if (!long) who.className = 'unseen';
			out.append(make('span', 'number', step.s), ' ', who, long ? ': ' : ' ');
		}
		const words = long && wordsOf(at[n]), moves = all.filter((i) => steps[i].m !== undefined).map((i) => steps[i].m).join(', ');
		if (words) out.append(words);
		else if (step.a) out.append(make('span', 'mute', 'played for it, not asked'));
		else if (moves) out.append(make(step.s ? 'b' : 'span', '', moves));
		else if (!step.s) out.append(make('span', 'mute', n ? '' : 'the start'));
		const gain = step.s && !long && at[n].scores.length ? at[n].scores[step.s - 1] - (at[all[0] - 1].scores[step.s - 1] || 0) : 0;
		if (gain) out.append(' ', make('span', 'gain', (gain > 0 ? '+' : '−') + Math.abs(Math.round(gain * 1e6) / 1e6)));
		for (const i of all) if (steps[i].x && steps[i].x.c) out.append(' ', mark(steps[i].x.c));
		if (step.k) out.append(' ', make('span', 'badge', step.k));
		if (step.w && long) out.append(' ' + step.w);
		return out;
	}

	const links = [];
	for (const n of stops) {
		const link = make('a'), took = turn(n).reduce((sum, i) => sum + (steps[i].u || 0), 0);
		link.href = '#step=' + n;
		link.onclick = () => go(n);
		link.append(make('span', 'unseen', 'Step '), make('span', 'n', n), describe(n, false), make('span', 't', took ? time(took) : ''));
		const item = make('li');
		item.append(link);
		$('moves').append(item);
		links.push(link);
	}

	const seats = [...document.querySelectorAll('.seat')];
	function drawSeats(n) {
		const now = at[n];
		seats.forEach((seat, i) => {
			const budget = data.budgets[i], used = now.costs[i], bar = seat.querySelector('progress');
			seat.classList.toggle('now', n < end && steps[n + 1].s === i + 1);
			seat.classList.toggle('first', n === end && seat.hasAttribute('data-first'));
			seat.querySelector('.score').textContent = now.scores.length ? now.scores[i] : '';
			const clock = seat.querySelector('.clock');
			clock.textContent = budget ? time(Math.max(0, budget - used)) + ' left' : time(used) + ' used';
			if (now.failed[i]) clock.append(' ', make('span', 'badge', now.failed[i]));
			if (bar) {
				bar.value = Math.max(0, budget - used);
				bar.setAttribute('aria-valuetext', clock.textContent);
			}
		});
	}

	function drawLines(n) {
		const lines = turn(n).flatMap((i) => steps[i].l || []).map((line) => {
			const row = make('div'), who = make('span');
			who.append(line.f ? '← from ' : '→ to ', ...line.s.flatMap((seat, i) => [(i ? ', ' : '') + seat + ' ', name(seat)]));
			row.append(who, make('code', '', line.t));
			return row;
		});
		if (!lines.length) lines.push(make('p', 'mute', 'none'));
		$('lines').replaceChildren(...lines);
	}

	// drawWorth says what the reply was worth, and on demand the best one.
	const worth = $('worth');
	function drawWorth(n) {
		if (!worth) return;
		const x = steps[n].x || {}, details = worth.querySelector('details');
		worth.firstElementChild.textContent = (x.c ? x.c + ': ' : '') + (x.t ? texts[x.t - 1] : '');
		details.hidden = !x.b;
		details.lastElementChild.textContent = x.b ? texts[x.b - 1] + (x.a ? ' (the dashed arrow)' : '') : '';
	}
	// drawBest lays the best reply over the picture, if another was given.
	function drawBest(n, now) {
		const svg = picture.firstElementChild, {a} = steps[n].x || {};
		svg.querySelector(':scope > [data-key=best]')?.remove();
		if (a && now.head) svg.append(read(texts[now.head - 1] + '<g data-key="best">' + texts[a - 1] + '</g></svg>').firstElementChild);
	}

	// The graph has a line for all seats, which is an area, or one for each.
	const graph = $('graph');
	if (graph) {
		const {low, high, lines} = graph.dataset, all = Array.from({length: lines}, () => []), dots = {};
		steps.forEach(({x, s}, n) => {
			if (!x || x.y === undefined) return;
			const at = (1000 * (n + .5) / steps.length).toFixed(1) + ' ' + (96 - 92 * (x.y - low) / (high - low)).toFixed(1);
			all[lines > 1 ? s - 1 : 0].push(at);
			if (x.c) dots[x.c] = (dots[x.c] || '') + 'M' + at + 'h.01';
		});
		const draw = (name, d) => {
			const path = document.createElementNS(graph.namespaceURI, 'path');
			path.setAttribute('class', name);
			path.setAttribute('d', d);
			graph.append(path);
		};
		all.forEach((line, i) => {
			if (!line.length) return;
			if (lines < 2) draw('area', 'M0 96V' + line[0].split(' ')[1] + 'L' + line.join('L') + 'H1000V96Z');
			draw('line', 'M' + line.join('L'));
			if (lines > 1) draw('line seat' + (i + 1), 'M' + line.join('L'));
		});
		draw('grid', 'M0 4H1000M0 50H1000M0 96H1000');
		for (const tick of document.querySelectorAll('.ticks span')) tick.style.left = 100 * (Number(tick.textContent) + .5) / steps.length + '%';
		for (const [name, d] of Object.entries(dots)) draw('dot ' + name, d);
	}

	// Who can't see the picture is told the position.
	function describePicture(now) {
		const svg = picture.firstElementChild, part = partOf(now, 'desc');
		if (!part || !svg) return;
		svg.setAttribute('aria-description', read(texts[now.head - 1] + part + '</svg>').textContent);
	}

	// Of two seats, the bar beside the board says who is ahead.
	const balance = $('balance');
	function drawBalance(n) {
		if (!balance) return;
		while (n > 0 && steps[n].x?.y === undefined) n--;
		balance.firstElementChild.style.height = 100 - (steps[n].x?.y ?? 50) + '%';
	}

	// drawMove draws a position; of a step on, the pictures that lead to it first.
	let phase = 0;
	function drawMove(now, on, through) {
		clearTimeout(phase);
		picture.querySelector('[data-key=best]')?.remove();
		const moving = on && !still.matches, list = moving ? [...through.flatMap((one) => [...one.phases, one]), ...now.phases, now] : [now];
		const ms = Math.min(250, 750 / list.length) / Number($('speed').value);
		const next = () => {
			draw(list.shift(), moving && ms >= 30 ? ms : 0);
			if (list.length) phase = setTimeout(next, ms);
			else {
				drawBest(current, now);
				describePicture(now);
			}
		};
		next();
	}

	let current = -1, timer = 0, address = 0, linked = null;
	function show(n) {
		n = Math.min(end, Math.max(0, n));
		if (n === current) return;
		const on = before(n) === current && current >= 0, stop = stopAt(n);
		// The list is measured before anything changes, or it would be laid out anew.
		const list = $('moves'), item = links[stop].parentElement, {offsetTop: top, offsetHeight: tall, offsetLeft: left, offsetWidth: wide} = item;
		const away = top < list.scrollTop || top + tall > list.scrollTop + list.clientHeight || left < list.scrollLeft || left + wide > list.scrollLeft + list.clientWidth;
		const middle = [left - list.clientWidth / 2, top - list.clientHeight / 2];
		current = n;
		drawMove(at[n], on, on ? turn(n).slice(0, -1).map((i) => at[i]) : []);
		tell();
		drawSeats(n);
		drawLines(n);
		drawWorth(n);
		drawBalance(n);
		$('caption').replaceChildren(describe(n, true));
		if (linked) linked.removeAttribute('aria-current');
		linked = links[stop];
		linked.setAttribute('aria-current', 'step');
		if (away) list.scrollTo(...middle);
		$('slider').value = stop;
		$('slider').setAttribute('aria-valuetext', n + ' of ' + end);
		$('where').textContent = n + ' of ' + end;
		// Not disabled, or a button would lose the focus at the end.
		for (const id of ['first', 'back']) $(id).setAttribute('aria-disabled', n === 0);
		for (const id of ['next', 'last']) $(id).setAttribute('aria-disabled', n === end);
		const x = 1000 * (n + .5) / steps.length;
		for (const mark of document.querySelectorAll('path.now')) mark.setAttribute('d', 'M' + x + ' 0V100');
		// Browsers allow only so many changes of the address in a while.
		clearTimeout(address);
		address = setTimeout(() => history.replaceState(null, '', (embedded ? '#embed&' : '#') + 'step=' + current), 300);
	}

	const playing = () => timer !== 0;
	function pause() {
		clearTimeout(timer);
		timer = 0;
		drawPlay();
	}
	function play() {
		if (current === end) show(0);
		wait();
		drawPlay();
	}
	function wait() {
		timer = setTimeout(() => {
			on(1);
			if (current < end) wait();
			else pause();
		}, 900 / Number($('speed').value));
	}
	function drawPlay() {
		$('play').classList.toggle('playing', playing());
		$('play').setAttribute('aria-label', playing() ? 'Pause' : 'Play');
		// What is played is not read out step by step.
		$('caption').setAttribute('aria-live', playing() ? 'off' : 'polite');
	}
	const go = (n) => {
		pause();
		show(n);
	};
	// on goes so many turns on.
	function on(turns) {
		const stop = stopAt(current), at = turns < 0 || stops[stop] === current ? stop + turns : stop;
		show(stops[Math.min(stops.length - 1, Math.max(0, at))]);
	}
	const step = (turns) => {
		pause();
		on(turns);
	};

	// The colour that a seat has in the picture is that of its card and of its half of the bar.
	const paint = () => seats.forEach((seat, i) => {
		paintSeat(picture, seat);
		for (const one of [balance, graph]) if (one) one.style.setProperty('--seat' + (i + 1), seat.style.getPropertyValue('--seat'));
	});
	// The next reply that was a mistake or a blunder, whoever gave it; after the last the first.
	const lapses = steps.flatMap((step, n) => step.x && /mistake|blunder/.test(step.x.c) ? [n] : []);
	const lapse = () => lapses.length && go(lapses.find((n) => n > current) ?? lapses[0]);
	if ($('lapse')) {
		$('lapse').onclick = lapse;
		$('lapse').hidden = !lapses.length;
	}

	$('slider').max = stops.length - 1;
	$('first').onclick = () => go(0);
	$('back').onclick = () => step(-1);
	$('next').onclick = () => step(1);
	$('last').onclick = () => go(end);
	$('play').onclick = () => playing() ? pause() : play();
	$('slider').oninput = () => go(stops[Number($('slider').value)]);
	for (const plot of document.querySelectorAll('.plot svg')) {
		plot.onclick = (event) => {
			const box = plot.getBoundingClientRect();
			go(Math.floor((event.clientX - box.left) / box.width * steps.length));
		};
	}
	const keys = {ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(end), m: lapse, n: lapse};
	document.onkeydown = (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
		const target = event.target.closest('select, button, input, summary');
		if (event.key === ' ' && !(target && target.matches('select, button, summary'))) {
			playing() ? pause() : play();
		} else if (keys[event.key] && !(target && target.matches('select'))) {
			keys[event.key]();
		} else {
			return;
		}
		event.preventDefault();
	};
	const fromAddress = () => {
		const found = /[#&]step=(\d{1,9})$/.exec(location.hash);
		if (found) go(Number(found[1]));
	};
	window.onhashchange = fromAddress;
	if (embedded) {
		const whole = make('a', '', '↗');
		whole.href = location.pathname + location.search;
		whole.target = '_blank';
		whole.setAttribute('aria-label', 'Open the whole page');
		document.querySelector('h1').append(' ', whole);
	}
	show(0);
	paint();
	fromAddress();
};
// A page may get its match later, and says then that it has.
if (document.getElementById('data')) unpack('data', playBack);
else document.addEventListener('replay', (event) => event.detail ? playBack(event.detail) : unpack('data', playBack), {once: true});
