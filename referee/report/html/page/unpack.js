'use strict';
// unpack gives what a page holds compressed to a function; the element goes when that is done.
const unpack = async (id, use) => {
	const element = document.getElementById(id), packed = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
	const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
	if (data.texts) data.texts = textsOf(data.texts);
	use(data);
	element.remove();
};
// Texts are stored by their forms: each takes the next numbers from the columns of its form,
// where one that is not there is as before.
const textsOf = ({forms, order}) => {
	const all = forms.map(({t, n}) => ({t, columns: (n || []).map((column) => column.split(',')), row: 0, now: []}));
	return order.map((i) => {
		const form = all[i], row = form.row++;
		return form.t.reduce((text, piece, k) => text + (form.now[k] = form.columns[k - 1][row] || form.now[k]) + piece);
	});
};
