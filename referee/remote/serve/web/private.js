// A page that needs a secret, which no address may hold: it is asked for again,
// with the secret in a header. Or one that can't be shown.
import {$, address, keep, kept, make, secretToSee, takeFragment, trouble} from './common.js';

const [, page, match] = /\/(play|matches)(?:\/([^/]+))?$/.exec(location.pathname) || [];
const name = page !== 'play' ? 'secret' : match ? 'ticket ' + match : 'person';

// show asks for the page with a secret, which is kept if it was given here.
async function show(secret, given) {
	try {
		const answer = await fetch(location.href, {headers: {Authorization: 'Bearer ' + secret}, cache: 'no-store'});
		if (answer.status === 401) {
			if (kept(name) === secret) keep(name, '');
			trouble('This secret is not accepted.');
			return;
		}
		const text = await answer.text();
		if (given) keep(name, secret);
		document.open();
		document.write(text);
		document.close();
	} catch {
		trouble('umpire does not answer.');
	}
}

const brought = takeFragment().replace(/^token=/, '');
if ('problem' in document.body.dataset) {
	if (brought) keep(name, brought);
} else {
	const found = brought || kept(name) || page === 'matches' && secretToSee(match);
	if (found) show(found, brought);
	$('secret-form').addEventListener('submit', (event) => {
		event.preventDefault();
		show($('secret').value.trim(), true);
	});
}
if (page === 'play' && match && kept('person')) { // umpire may have been started again
	const link = make('a', 'button', 'Your next match');
	link.href = address('play');
	document.querySelector('section').append(link);
}
