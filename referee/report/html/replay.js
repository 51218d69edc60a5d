'use strict';
const playBack = () => {
	const data = JSON.parse(document.getElementById('data').textContent);
	// Pictures are stored with characters exchanged for others that are shorter in JSON.
	const exchanged = {'<': '[', '[': '<', '>': ']', ']': '>', '"': '`', '`': '"'};
	const texts = data.texts.map((text) => text.replace(/[<>[\]"`]/g, (c) => exchanged[c]));
	const steps = data.steps, end = steps.length - 1;
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
	const pictured = (change) => {
		if (change.p) {
			head = change.h || 0;
			parts = change.p;
		} else if (change.d) {
			parts = parts.slice();
			for (let i = 0; i < change.d.length; i += 2) parts[change.d[i]] = change.d[i + 1];
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
	const read = (svg) => document.adoptNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement);
	const picture = $('picture');
	let shown = null;
	function draw(want) {
		const svg = picture.firstElementChild;
		if (want.head && shown && shown.head === want.head && shown.parts.length === want.parts.length) {
			want.parts.forEach((text, i) => {
				if (shown.parts[i] !== text) svg.children[i].replaceWith(read(texts[want.head - 1] + texts[text] + '</svg>').firstElementChild);
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

	// describe says what happened at a step: who did what, and how it failed.
	function describe(step, n, long) {
		const out = make('span', 'what');
		if (step.s) out.append(make('span', 'number', step.s), ' ');
		if (step.s) {
			const who = name(step.s);
			if (!long) who.className = 'unseen';
			out.append(who, long ? ': ' : ' ');
		}
		if (step.a) out.append(make('span', 'mute', 'played for it, not asked'));
		else if (step.m !== undefined) out.append(make(step.s ? 'b' : 'span', '', step.m));
		else if (!step.s) out.append(make('span', 'mute', n ? '' : 'the start'));
		if (step.x && step.x.c) out.append(' ', mark(step.x.c));
		if (step.k) out.append(' ', make('span', 'badge', step.k));
		if (step.w && long) out.append(' ' + step.w);
		return out;
	}

	const links = steps.map((step, n) => {
		const link = make('a');
		link.href = '#step=' + n;
		link.onclick = () => go(n);
		link.append(make('span', 'unseen', 'Step '), make('span', 'n', n), describe(step, n, false), make('span', 't', step.u ? time(step.u) : ''));
		const item = make('li');
		item.append(link);
		$('moves').append(item);
		return link;
	});

	const seats = [...document.querySelectorAll('.seat')];
	function drawSeats(n) {
		const now = at[n];
		seats.forEach((seat, i) => {
			const budget = data.budgets[i], used = now.costs[i], bar = seat.querySelector('progress');
			seat.classList.toggle('now', steps[n].s === i + 1);
			seat.querySelector('.score').textContent = now.scores.length ? now.scores[i] : '';
			const clock = seat.querySelector('.clock');
			clock.textContent = budget ? time(Math.max(0, budget - used)) + ' left' : time(used) + ' used';
			if (now.failed[i]) clock.append(' ', make('span', 'badge', now.failed[i]));
			if (bar) bar.value = Math.max(0, budget - used);
		});
	}

	function drawLines(n) {
		const lines = (steps[n].l || []).map((line) => {
			const row = make('div'), who = make('span');
			who.append((line.f ? '← from ' : '→ to ') + line.s + ' ', name(line.s));
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
		const x = steps[n].x, details = worth.querySelector('details');
		worth.firstElementChild.textContent = x ? (x.c ? x.c + ': ' : '') + x.t : '';
		details.hidden = !(x && x.b);
		details.lastElementChild.textContent = x && x.b || '';
	}

	// drawMove draws a position; of a step on, the pictures that lead to it first.
	let phase = 0;
	const still = matchMedia('(prefers-reduced-motion: reduce)');
	function drawMove(now, on) {
		clearTimeout(phase);
		const list = on && !still.matches ? [...now.phases, now] : [now];
		const next = () => {
			draw(list.shift());
			if (list.length) phase = setTimeout(next, Math.min(250, 750 / (list.length + 1)) / Number($('speed').value));
		};
		next();
	}

	let current = -1, timer = 0, address = 0;
	function show(n) {
		n = Math.min(end, Math.max(0, n));
		if (n === current) return;
		if (current >= 0) links[current].removeAttribute('aria-current');
		const on = n === current + 1;
		current = n;
		drawMove(at[n], on);
		tell();
		drawSeats(n);
		drawLines(n);
		drawWorth(n);
		$('caption').replaceChildren(describe(steps[n], n, true));
		links[n].setAttribute('aria-current', 'step');
		const list = $('moves'), top = links[n].parentElement.offsetTop;
		if (top < list.scrollTop || top + links[n].offsetHeight > list.scrollTop + list.clientHeight) {
			list.scrollTop = top - list.clientHeight / 2;
		}
		$('slider').value = n;
		$('slider').setAttribute('aria-valuetext', 'step ' + n + ' of ' + end);
		$('where').textContent = n + ' of ' + end;
		// Not disabled, or a button would lose the focus at the end.
		for (const id of ['first', 'back']) $(id).setAttribute('aria-disabled', n === 0);
		for (const id of ['next', 'last']) $(id).setAttribute('aria-disabled', n === end);
		const x = 1000 * (n + .5) / steps.length;
		for (const mark of document.querySelectorAll('path.now')) mark.setAttribute('d', 'M' + x + ' 0V100');
		// Browsers allow only so many changes of the address in a while.
		clearTimeout(address);
		address = setTimeout(() => history.replaceState(null, '', '#step=' + current), 300);
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
			show(current + 1);
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

	$('slider').max = end;
	$('first').onclick = () => go(0);
	$('back').onclick = () => go(current - 1);
	$('next').onclick = () => go(current + 1);
	$('last').onclick = () => go(end);
	$('play').onclick = () => playing() ? pause() : play();
	$('slider').oninput = () => go(Number($('slider').value));
	for (const plot of document.querySelectorAll('.plot svg')) {
		plot.onclick = (event) => {
			const box = plot.getBoundingClientRect();
			go(Math.floor((event.clientX - box.left) / box.width * steps.length));
		};
	}
	const keys = {ArrowLeft: () => go(current - 1), ArrowRight: () => go(current + 1), Home: () => go(0), End: () => go(end)};
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
		const found = /^#step=(\d{1,9})$/.exec(location.hash);
		if (found) go(Number(found[1]));
	};
	window.onhashchange = fromAddress;
	show(0);
	fromAddress();
};
// A page may get its match later, and says then that it has.
if (document.getElementById('data')) playBack();
else document.addEventListener('replay', playBack, {once: true});
