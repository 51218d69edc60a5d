'use strict';
// The page around the pages of a site: it hands a file to the program, which is started with
// the first one, and shows in a frame what the address names as in #bots/1.html.
(() => {
	const $ = (id) => document.getElementById(id), view = $('view');
	let compiled, starting, program, name = '', matches = 0, shown = '', address = '';
	let files = 0, shows = 0; // how many have been opened, and shown

	// bytesOf reads base 85, with v for <: of five letters four bytes, of fewer at the end one less.
	const bytesOf = (text) => {
		const bytes = new Uint8Array(Math.floor(text.length * 4 / 5));
		for (let i = 0, n = 0; n < bytes.length; i += 5) {
			let word = 0;
			for (let k = i; k < i + 5; k++) {
				const letter = k < text.length ? text.charCodeAt(k) : 117; // u, the last one
				word = word * 85 + (letter === 118 ? 60 : letter) - 33;
			}
			for (let shift = 24; shift >= 0 && n < bytes.length; shift -= 8) bytes[n++] = word >>> shift;
		}
		return bytes;
	};

	// start runs the program, which sets globalThis.umpire before its first pause.
	const start = async () => {
		if (!compiled) {
			const stream = new Blob([bytesOf($('program').textContent)]).stream().pipeThrough(new DecompressionStream('gzip'));
			compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
			$('program').remove();
		}
		const go = new Go();
		// Go takes the address of a function for one in its heap, and ends: golang.org/issue/80472.
		go.env.GODEBUG = 'invalidptr=0';
		// A program that breaks down ends no promise.
		go.exit = () => {
			starting = program = undefined;
			again('the program that reads results has ended; the file may need more memory than a browser gives');
		};
		go.run(await WebAssembly.instantiate(compiled, go.importObject));
		return globalThis.umpire;
	};

	const say = (text, kind = '') => {
		$('said').className = kind;
		$('said').textContent = text;
	};
	const fail = (error) => {
		say(error.message || error, 'note');
		$('progress').hidden = true;
	};
	// again asks for another file, as none can be shown.
	const again = (error) => {
		matches = 0;
		fail(error);
		view.hidden = $('pages').hidden = true;
		$('drop').hidden = false;
	};
	const megabytes = (bytes) => (bytes / 1e6).toFixed(1) + ' MB';
	const telling = (number, what, from) => (done, total) => {
		if (number !== files) return;
		say(what + ': ' + megabytes(done) + ' of ' + megabytes(total));
		$('progress').value = from + done / Math.max(1, total) / 2;
	};

	const frame = (page, hash) => {
		URL.revokeObjectURL(address);
		address = URL.createObjectURL(new Blob([page], {type: 'text/html'}));
		view.hidden = false;
		view.src = address + hash;
	};

	// A file is read twice. After the first time the matches can be seen, and so can their
	// replays while it is read again.
	async function open(from, config) {
		const number = ++files;
		name = from.name;
		matches = 0;
		history.replaceState(null, '', '#index.html');
		view.hidden = $('pages').hidden = $('drop').hidden = true;
		$('progress').hidden = false;
		$('progress').value = 0;
		say('Starting …');
		try {
			program = await (starting = starting || start());
			const result = await program.read(from, name, config, telling(number, 'Reading ' + name, 0));
			if (number !== files) return;
			matches = result.matches;
			$('title').textContent = result.game + ': ' + name;
			$('another').textContent = 'Another file';
			$('pages').hidden = false;
			fromAddress();
			await program.finish(telling(number, 'Standings, matches and replays are there; reading for the rest', 0.5));
			if (number !== files) return;
			$('progress').hidden = true;
			say('');
			if (shown === 'index.html') fromAddress(); // it tells more now
		} catch (error) {
			if (number === files) again(error); // else another has been opened meanwhile
		}
	}

	// show shows a page of the site, or of a match as replays/1.html?4#step=7 names it.
	async function show(wanted) {
		const number = ++shows, to = new URL(wanted, 'site:/'), match = /^\/replays\/\d+\.html$/.test(to.pathname) ? Number(to.search.slice(1)) : -1;
		shown = to.pathname.slice(1);
		for (const [id, other] of [['before', match - 1], ['after', match + 1]]) {
			$(id).hidden = match < 0 || other < 0 || other >= matches;
			$(id).href = '#replays/1.html?' + other;
		}
		$('worth').hidden = match < 0;
		try {
			if (match >= 0 && $('analyse').checked) {
				say('Working out what replies were worth …');
				await new Promise((done) => setTimeout(done, 50)); // for that to be painted
			}
			const page = await (match < 0 ? program.page(shown) : program.replay(match, $('analyse').checked));
			if (number !== shows) return; // another is shown
			say('');
			frame(page, to.hash);
			view.focus();
		} catch (error) {
			if (number === shows) say(error.message || error, 'note');
		}
	}
	const fromAddress = () => { if (matches) show(decodeURI(location.hash.slice(1)) || 'index.html'); };

	// A folder that was dropped is that of a run.
	async function openEntry(entry) {
		const fileOf = (one) => new Promise((done, failed) => one.file(done, failed));
		if (!entry.isDirectory) return open(await fileOf(entry), '');
		const all = [], reader = entry.createReader();
		for (let some = [0]; some.length;) all.push(...some = await new Promise((done, failed) => reader.readEntries(done, failed)));
		const find = (wanted) => all.find((one) => one.isFile && one.name === wanted);
		const results = find('results.jsonl') || find('results.jsonl.zst'), config = find('tournament.yaml');
		if (!results) return fail(entry.name + ': found no results.jsonl or results.jsonl.zst in the folder');
		return open(await fileOf(results), config ? await (await fileOf(config)).text() : '');
	}

	$('file').onchange = () => {
		const file = $('file').files[0];
		if (file) open(file, '');
		$('file').value = '';
	};
	$('analyse').onchange = fromAddress;
	window.onhashchange = fromAddress;
	window.onmessage = (event) => {
		if (event.source !== view.contentWindow) return;
		const {title, file} = event.data;
		if (file instanceof File) return open(file, '');
		if (title) {
			view.title = title;
			document.title = title + ' (' + name + ')';
			return;
		}
		const to = new URL(String(event.data.to), 'site:/' + shown);
		if (to.protocol === 'site:') location.hash = to.href.slice('site:/'.length);
	};
	const over = (event) => {
		event.preventDefault();
		document.body.classList.toggle('over', event.type === 'dragover');
	};
	window.ondragover = window.ondragleave = over;
	window.ondrop = (event) => {
		over(event);
		const item = event.dataTransfer.items[0], entry = item && item.webkitGetAsEntry && item.webkitGetAsEntry();
		const file = event.dataTransfer.files[0];
		if (entry) openEntry(entry).catch(fail);
		else if (file) open(file, '');
	};
})();
