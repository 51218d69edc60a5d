// A page that needs a secret, which no address may hold: it is asked for again,
// with the secret in a header.
import {$, keep, kept, secretToSee, takeFragment, trouble} from './common.js';

const [, page, match] = /\/(play|matches)\/([^/]+)$/.exec(location.pathname) || [];
const name = page === 'play' ? 'ticket ' + match : 'secret';

async function show(secret) {
	try {
		const answer = await fetch(location.href, {headers: {Authorization: 'Bearer ' + secret}, cache: 'no-store'});
		if (answer.status === 401) {
			keep(name, '');
			trouble('This secret is not accepted.');
			return;
		}
		const text = await answer.text();
		keep(name, secret);
		document.open();
		document.write(text);
		document.close();
	} catch {
		trouble('umpire does not answer.');
	}
}

const found = takeFragment().replace(/^token=/, '') || kept(name) || page === 'matches' && secretToSee(match);
if ('problem' in document.body.dataset) {
	if (found) keep(name, found);
} else {
	if (found) show(found);
	$('secret-form').addEventListener('submit', (event) => {
		event.preventDefault();
		show($('secret').value.trim());
	});
}
