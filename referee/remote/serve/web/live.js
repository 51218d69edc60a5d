// The page of a match that is going on. It ends as the page of its replay.
import {$, draw, entitle, foldRules, follow, log, nameOf, secretToSee, showReplay, stayAfterEnd, toViewer, trouble} from './common.js';

const {match, state} = document.body.dataset;
let happened = '';

const say = (text) => { if ($('status').textContent !== text) $('status').textContent = text; };

function see(event) {
	if (event.state) {
		draw(event.svg, event.text);
		toViewer((v) => v.show(event.state, event.step, 0));
	}
	log(event);
	happened = event.step ? 'Step ' + event.step + (event.seat ? ', by ' + nameOf(event.seat) : '') + '. ' : '';
}

function owes(seats) {
	if (seats.length) $('state').textContent = 'running';
	const moving = seats.length > 1 ? 'All are to move' : seats.length ? nameOf(seats[0]) + ' is to move' : '';
	say(moving ? happened + moving + '.' : happened || 'The match begins when its players are there.');
	entitle(moving);
}

function end(ended) {
	$('state').textContent = ended.state;
	stayAfterEnd();
	entitle(ended.state);
	if (ended.state === 'void') say('This match does not count: ' + ended.detail + '.');
	else if (ended.replay) showReplay(match, ended.replay, 999999999); // at its end
	else say('The match is over. It can’t be played back.');
}

foldRules();
if (state !== 'void') follow(match, secretToSee(match), {see, owes, replay: true}).then(end, (error) => trouble(error.message));
