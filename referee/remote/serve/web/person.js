// The page that leads a person to its matches, one after another.
import {$, address, keep, kept, nextMatch, noNextMatch, takeFragment} from './common.js';

const key = takeFragment() || kept('person');
keep('person', key);

const say = (text) => { $('status').textContent = text; };

async function start() {
	say('Waiting for your next match.');
	try {
		const seat = await nextMatch(key);
		if (seat) location.replace(address('play/' + seat.match));
		else say('umpire has ended. Load this page again when it goes on.');
	} catch (error) {
		say(noNextMatch(error));
	}
}

if (key) start();
else say('Open the link that you were given as a whole: what follows its # is your key.');
