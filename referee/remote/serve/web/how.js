// The page on how to play with a program: it makes the requests that a program makes, one
// at a time, and shows them with their answers.
import {$, ask, keep, kept} from './common.js';

const wait = 30; // seconds that an answer may take
let ticket = kept('try'), turn = 1;

async function make(method, path, secret, body) {
	const say = (text) => {
		$('exchange').append(text + '\n');
		$('exchange').scrollTop = $('exchange').scrollHeight;
	};
	$('exchange').hidden = false;
	say(method + ' api/v1/' + path + (body ? ' ' + JSON.stringify(body) : ''));
	try {
		const answer = await ask(path, {method, secret, body, wait});
		say(JSON.stringify(answer, null, 2) + '\n');
		see(answer);
	} catch (error) {
		say((error.code ? error.status + ' ' + error.code + ': ' + error.message : 'umpire does not answer') + '\n');
	}
}

// see offers what can be done next.
function see(answer) {
	if (answer.ticket) {
		keep('try', ticket = answer.ticket);
		turn = 1;
	}
	turn = answer.turn || turn;
	if (answer.state === 'done') turn++;
	const over = answer.state === 'over' || answer.state === 'void';
	if (over) keep('try', ticket = '');
	$('ask').hidden = !ticket;
	$('ask').textContent = 'Ask for turn ' + turn;
	$('replying').hidden = answer.state !== 'move';
	if (answer.state === 'move') $('text').focus();
}

$('joining').addEventListener('submit', (event) => {
	event.preventDefault();
	make('POST', 'join', $('secret').value.trim(), {wait: 0});
});
$('ask').addEventListener('click', () => make('GET', 'seat/turns/' + turn + '?wait=' + wait, ticket));
$('replying').addEventListener('submit', (event) => {
	event.preventDefault();
	const reply = $('text').value;
	$('text').value = '';
	make('PUT', 'seat/turns/' + turn + '?wait=' + wait, ticket, {reply});
});
$('ask').hidden = !ticket;
$('try').hidden = false;
