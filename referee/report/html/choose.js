'use strict';
unpack('matches', (all) => {
	// The match that the address names, as in 12.html?3, is put together from the
	// texts that the matches of the page share; the next script plays it back.
	const count = all.matches.length, [asked] = location.search.slice(1).split('&');
	const n = asked === 'last' ? count - 1 : /^-?\d+$/.test(asked) ? Number(asked) : 0, match = all.matches[n];
	if (!match) {
		const note = document.getElementById('match');
		note.className = 'note';
		note.textContent = document.title = 'No such match: those on this page are ?0 to ?' + (count - 1) + '.';
		return;
	}
	// The pages were written by umpire, which has escaped what is not its own.
	document.getElementById('match').innerHTML = match.page.map((i) => all.texts[i]).join('');
	document.title = 'Match ' + (all.first + n) + ', ' + match.title;
	const link = (id, to) => {
		if (!to) return;
		document.getElementById(id).href = to;
		document.getElementById(id).hidden = false;
	};
	link('before', n > 0 ? '?' + (n - 1) : all.before && (all.unit - 1) + '.html?last');
	link('after', n + 1 < count ? '?' + (n + 1) : all.after && (all.unit + 1) + '.html?0');
	if (!match.data) return;
	match.data.texts = all.texts;
	document.dispatchEvent(new CustomEvent('replay', {detail: match.data}));
});
