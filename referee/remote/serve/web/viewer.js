// The page by which the game's author shows positions, in a frame. It is told what the
// player at this page may see, and may propose a reply; what else it says is not heard.
import {$, make, visible} from './common.js';

const frame = make('iframe'), proposal = make('button'), other = make('button', 'other', 'Show umpire’s board');
let told = null, choices = [], reply = () => {};

frame.sandbox = 'allow-scripts';
frame.title = 'Position, as the author of the game shows it';
frame.src = document.body.dataset.viewer;
frame.onload = tell;
other.type = proposal.type = 'button';
proposal.id = 'proposal';
other.onclick = () => {
	const picture = $('picture');
	frame.hidden = !frame.hidden;
	picture.hidden = !frame.hidden;
	other.textContent = frame.hidden ? 'Show the author’s view' : 'Show umpire’s board';
};

function tell() {
	if (told) frame.contentWindow.postMessage(told, '*'); // its origin is nobody's
}

// show shows a position, unless it is what everybody sees while the seat's own view is there to reply to.
export function show(state, step, seat) {
	if (!seat && told?.seat && choices.length) return;
	told = {state, step, seat};
	if (frame.isConnected) return tell();
	const picture = $('picture'), box = make('div');
	box.id = 'viewer';
	box.append(frame, other);
	picture.before(box);
	picture.hidden = true;
}

// offer takes what may be replied, and what to do with a reply. The frame may have been told the
// position, and have proposed a reply, before.
export function offer(list, f) {
	choices = list;
	reply = f;
	proposal.remove();
	if (list.length && frame.isConnected) tell();
}

// What is proposed is sent once the person clicks on a button of umpire's, which does not
// change while the person is about to.
addEventListener('message', ({source, origin, data}) => {
	if (source !== frame.contentWindow || origin !== 'null' || !data) return;
	const choice = choices.find((c) => c.reply === data.reply);
	if (!choice || proposal.matches(':hover, :focus')) return;
	proposal.dataset.choice = choice.reply;
	proposal.textContent = 'Reply ' + visible(choice.label);
	frame.after(proposal);
});
proposal.onclick = () => reply(proposal.dataset.choice);
