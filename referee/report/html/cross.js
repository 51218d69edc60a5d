'use strict';
// A crosstable of many bots as a map, of which one pair at a time is read out.
unpack('cross', ({bots, pairs}) => {
	const canvas = document.getElementById('map'), said = document.getElementById('pair'), n = bots.length;
	const size = Math.max(1, Math.floor(Math.min(1000, canvas.parentElement.clientWidth) / n)), draw = canvas.getContext('2d');
	const met = new Map(); // by row and column: won, drawn, lost
	for (let i = 0; i < pairs.length; i += 5) {
		const [a, b, won, drawn, lost] = pairs.slice(i, i + 5);
		met.set(a * n + b, [won, drawn, lost]).set(b * n + a, [lost, drawn, won]);
	}
	canvas.width = canvas.height = n * size;
	const heat = ['--loss', '--loss', '--loss-soft', '--loss-soft', '--even', '--win-soft', '--win-soft', '--win', '--win'];
	let at = [0, 1];
	function paint() {
		const style = getComputedStyle(document.documentElement), colours = heat.map((name) => style.getPropertyValue(name));
		draw.clearRect(0, 0, canvas.width, canvas.height);
		for (const [place, [won, drawn, lost]] of met) {
			draw.fillStyle = colours[Math.round(8 * (won + drawn / 2) / Math.max(1, won + drawn + lost))];
			draw.fillRect(place % n * size, Math.floor(place / n) * size, size, size);
		}
		draw.strokeStyle = style.getPropertyValue('--accent');
		draw.lineWidth = 2;
		draw.strokeRect(at[1] * size - 1, at[0] * size - 1, size + 2, size + 2);
	}
	function go(row, column) {
		at = [row, column].map((x) => Math.min(n - 1, Math.max(0, x)));
		const [a, b] = at, result = met.get(a * n + b);
		said.textContent = bots[a] + (a === b ? '' : ' against ' + bots[b] + (result ? `: ${result[0]} won, ${result[1]} drawn, ${result[2]} lost` : ': have not met'));
		paint();
	}
	const link = document.createElement('a'); // a frame's page can follow links alone
	canvas.after(link);
	const open = () => {
		if (!met.has(at[0] * n + at[1])) return;
		link.href = 'pairs.html#' + (at[0] + 1) + ',' + (at[1] + 1);
		link.click();
	};
	canvas.onmousemove = (event) => {
		const box = canvas.getBoundingClientRect();
		go(Math.floor((event.clientY - box.top) / size), Math.floor((event.clientX - box.left) / size));
	};
	canvas.onclick = open;
	canvas.onkeydown = (event) => {
		const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
		if (event.key === 'Enter') open();
		else if (step) go(at[0] + step[0], at[1] + step[1]);
		else return;
		event.preventDefault();
	};
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
	go(...at);
});
