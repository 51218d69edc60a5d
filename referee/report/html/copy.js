'use strict';
for (const button of document.querySelectorAll('button.copy')) {
	button.hidden = !navigator.clipboard;
	button.onclick = async () => {
		await navigator.clipboard.writeText(button.previousElementSibling.textContent);
		button.textContent = 'Copied';
	};
}
