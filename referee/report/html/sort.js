'use strict';
// A click on a column's name puts the rows in its order, numbers from the highest down; a
// second click turns that round.
for (const table of document.querySelectorAll('table.sorts')) {
	const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
	const units = {'µs': 1e-6, ms: 1e-3};
	const numberIn = (text) => parseFloat(text.replace('−', '-')) * (units[/[µm]s$/.exec(text)] || 1);
	heads.forEach((head, i) => {
		if (!head.textContent.trim()) return;
		const button = document.createElement('button'), textOf = (row) => row.cells[i].textContent.trim();
		const compare = (a, b) => {
			const [x, y] = [numberIn(textOf(a)), numberIn(textOf(b))];
			return Number.isNaN(x) || Number.isNaN(y) ? textOf(b).localeCompare(textOf(a)) : x - y;
		};
		button.type = 'button';
		button.className = 'sort';
		button.append(...head.childNodes);
		head.append(button);
		button.onclick = () => {
			const down = head.getAttribute('aria-sort') !== 'descending';
			for (const other of heads) other.removeAttribute('aria-sort');
			head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			body.append(...[...body.rows].sort(down ? (a, b) => compare(b, a) : compare));
		};
	});
}
