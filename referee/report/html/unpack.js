'use strict';
// unpack gives what a page holds compressed to a function; the element goes when that is done.
const unpack = async (id, use) => {
	const element = document.getElementById(id), packed = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
	use(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).json());
	element.remove();
};
