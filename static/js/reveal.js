// The organiser's page of a prize-giving: the arrow keys, or those of a presenter, press its buttons.

const STEP = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const button = STEP[event.key] && document.querySelector(`[data-reveal="${STEP[event.key]}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
