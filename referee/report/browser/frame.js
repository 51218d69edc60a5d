'use strict';
// What is clicked or dropped on a page in a frame is for the page around it, which is told
// the page's title when it is there.
parent.postMessage({title: document.title}, '*');
addEventListener('click', (event) => {
	const link = event.target.closest('a[href]'), to = link && link.getAttribute('href');
	if (!to || to.startsWith('#')) return;
	event.preventDefault();
	event.stopImmediatePropagation();
	parent.postMessage({to}, '*');
}, true);
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
	event.preventDefault();
	const file = event.dataTransfer.files[0];
	if (file) parent.postMessage({file}, '*');
});
