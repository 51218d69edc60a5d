// The page of a match that is going on.
import {$, draw, follow, log, nameOf, secretToSee, trouble} from './common.js';

const {match, state} = document.body.dataset;

function see(event) {
	draw(event.svg, JSON.stringify(event.state, null, 1));
	log(event);
	$('state').textContent = 'running';
	$('status').textContent = event.step ? 'Step ' + event.step + (event.seat ? ', by ' + nameOf(event.seat) : '') : 'The start.';
}

if (state !== 'void') {
	if (state === 'waiting') $('status').textContent = 'The match begins when its players are there.';
	follow(match, secretToSee(match), see).then(
		() => location.reload(), // the page of a finished match is another
		(error) => trouble(error.message),
	);
}
