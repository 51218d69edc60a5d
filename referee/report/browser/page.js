'use strict';
// The page around the pages of a site: it hands a file to the program, which is started with
// the first one, and shows in a frame what the address names as in #bots/1.html.
(() => {
	const $ = (id) => document.getElementById(id), view = $('view');
	let program, name = '', matches = 0, shown = '', address = '', busy = false;

	// start runs the program, which sets globalThis.umpire before its first pause.
	const start = async () => {
		const packed = Uint8Array.from(atob($('program').textContent), (c) => c.charCodeAt(0));
		const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
		const go = new Go();
		const {instance} = await WebAssembly.instantiate(await new Response(stream).arrayBuffer(), go.importObject);
		go.run(instance).then(() => {
			program = undefined;
			fail('the program that reads results has ended; the file may need more memory than a browser gives');
		});
		$('program').remove();
		return globalThis.umpire;
	};

	const say = (text) => {
		$('said').className = '';
		$('said').textContent = text;
	};
	const fail = (error) => {
		$('said').className = 'note';
		$('said').textContent = error.message || error;
		$('progress').hidden = true;
	};
	const megabytes = (bytes) => (bytes / 1e6).toFixed(1) + ' MB';
	const told = (pass, done, total, preview) => {
		if (preview.length) frame(preview, '');
		say((pass === 1 ? 'Reading ' + name : 'The standings are there; reading the matches') + ': ' + megabytes(done) + ' of ' + megabytes(total));
		$('progress').value = (pass - 1 + done / Math.max(1, total)) / 2;
	};

	const frame = (page, hash) => {
		URL.revokeObjectURL(address);
		address = URL.createObjectURL(new Blob([page], {type: 'text/html'}));
		view.hidden = false;
		view.src = address + hash;
	};

	async function open(file, config) {
		if (busy) return;
		busy = true;
		name = file.name;
		history.replaceState(null, '', '#index.html');
		view.hidden = $('pages').hidden = $('drop').hidden = true;
		$('progress').hidden = false;
		$('progress').value = 0;
		say('Starting …');
		try {
			program = program || await start();
			const result = await program.read(file, name, config, told);
			matches = result.matches;
			$('title').textContent = result.game + ': ' + name;
			$('another').textContent = 'Another file';
			$('progress').hidden = true;
			$('pages').hidden = false;
			busy = false;
			fromAddress(); // a link may have been followed meanwhile
		} catch (error) {
			busy = false;
			fail(error);
			view.hidden = true;
			$('drop').hidden = false;
		}
	}

	// show shows a page of the site, or of a match as replays/1.html?4#step=7 names it.
	async function show(wanted) {
		const to = new URL(wanted, 'site:/'), match = /^\/replays\/\d+\.html$/.test(to.pathname) ? Number(to.search.slice(1)) : -1;
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
			say('');
			frame(page, to.hash);
			view.focus();
		} catch (error) {
			fail(error);
		}
	}
	const fromAddress = () => { if (matches && !busy) show(decodeURI(location.hash.slice(1)) || 'index.html'); };

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
