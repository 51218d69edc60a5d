'use strict';
const make = (name, className, text) => {
	const element = document.createElement(name);
	if (className) element.className = className;
	if (text !== undefined) element.textContent = text;
	return element;
};
// replaysOf says where each of the matches listed is played back.
const replaysOf = (units) => units.flatMap(([unit, from, count]) => Array.from({length: count}, (_, i) => 'replays/' + unit + '.html?' + (from + i)));
// seatsOf reads a row of the list: the case, then four numbers for each seat.
const seatsOf = (row) => {
	const seats = [];
	for (let i = 1; i < row.length; i += 4) seats.push({bot: row[i], verdict: row[i + 1], score: row[i + 2], place: row[i + 3], seat: (i + 3) / 4});
	return seats;
};
