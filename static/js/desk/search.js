// The search of every page: Ctrl K or / opens it, the arrows go through the results, Enter opens one. Without this script its link leads to a page.

const box = () => document.getElementById("search");

function open(event) {
  const dialog = box();
  if (!dialog) return; // the page of the search
  event.preventDefault();
  if (dialog.open) return;
  dialog.showModal();
  dialog.querySelector("input").select();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-search]")) open(event);
  else if (event.target === box()) event.target.close(); // beside it
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const field = target.closest("input, textarea, select");
  const isFree = !field || box()?.contains(field); // once closed, the dialog keeps the focus for a moment
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "k") open(event);
  else if (box()?.open) move(event);
  else if (key === "/" && isFree && !event.ctrlKey && !event.metaKey) open(event);
});

function move(event) {
  const stops = [box().querySelector("input"), ...box().querySelectorAll(".search-results a")];
  const at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && at === 0 && stops[1]) stops[1].click();
  else if (step && at !== -1) stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
  else return;
  event.preventDefault();
}
