// The standings: the page shows those of now when the lobby's have changed.
import {$, kept, listen, trouble} from './common.js';

const headers = kept('secret') ? {Authorization: 'Bearer ' + kept('secret')} : {};

async function refresh(_, changed) {
	if (!('standings' in changed)) return;
	try {
		const answer = await fetch(location.href, {headers: {...headers, 'Last-Event-ID': ''}, cache: 'no-store'});
		if (!answer.ok) return;
		const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
		for (const part of ['header', 'main']) {
			const shown = document.querySelector(part);
			if (!shown.contains(document.activeElement)) shown.replaceWith(page.querySelector(part));
		}
	} catch {
		// the stream says so
	}
}

listen('api/v1/lobby/events', headers, refresh).catch((error) => trouble('The standings are not up to date: ' + error.message));
