'use strict';
// In a frame of another page, #embed leaves the board, the controls and who met.
const embedded = /^#(.*&)?embed(&|$)/.test(location.hash);
document.documentElement.classList.toggle('embed', embedded);
// The scores and the caption of a picture stand beside it: crop leaves the board.
function crop(svg) {
	const board = (svg.getAttribute('data-board') || '').split(' ');
	if (board.length === 2) svg.setAttribute('viewBox', '0 ' + board[0] + ' ' + svg.getAttribute('viewBox').split(' ')[2] + ' ' + board[1]);
	return svg;
}
// scoreIn finds the part of a picture that shows the score of a seat, and paintSeat gives
// the seat's card the colour that the seat has in the picture.
const scoreIn = (svg, seat) => svg.querySelector(`[data-key="score${seat}"]`);
function paintSeat(svg, card) {
	const mark = scoreIn(svg, card.dataset.seat)?.querySelector('rect + rect');
	if (mark) card.style.setProperty('--seat', getComputedStyle(mark).fill);
}
