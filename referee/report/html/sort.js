'use strict';
// A click on a column's name puts the rows in its order, numbers from the highest down and
// names from A to Z; a second click turns that round. Rows without a value come last.
for (const table of document.querySelectorAll('table.sorts')) {
	const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
	const units = {'µs': 1e-6, ms: 1e-3};
	const numberIn = (text) => parseFloat(text.replace('−', '-').replace(/^[<>]/, '')) * (units[/[µm]s$/.exec(text)] || 1);
	const isNumber = /^[<>]?[-−+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?(st|nd|rd|th)?(?![\w./-])/; // not 1/01
	heads.forEach((head, i) => {
		if (!head.textContent.trim()) return;
		const button = document.createElement('button');
		const textOf = (row) => row.cells[i].dataset.value || row.cells[i].textContent.trim();
		const isGiven = (row) => !/^[-–]?$/.test(textOf(row));
		button.type = 'button';
		button.className = 'sort';
		button.append(...head.childNodes);
		head.append(button);
		button.onclick = () => {
			const rows = [...body.rows], given = rows.filter(isGiven);
			const numbers = given.every((row) => !row.cells[i].querySelector('bdi') && isNumber.test(textOf(row)));
			const down = (head.getAttribute('aria-sort') === (numbers ? 'descending' : 'ascending')) !== numbers;
			const compare = (a, b) => numbers ? numberIn(textOf(a)) - numberIn(textOf(b)) : textOf(a).localeCompare(textOf(b), undefined, {numeric: true});
			for (const other of heads) other.removeAttribute('aria-sort');
			head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
			body.append(...given.sort(down ? (a, b) => compare(b, a) : compare), ...rows.filter((row) => !isGiven(row)));
		};
	});
}
