// Who has played before: a list below the name. An arrow and Enter take a person; Enter alone takes what was typed.

const FEWEST_LETTERS = 3;
const form = document.querySelector("#door-form");
const field = () => form.querySelector('[name="name"]');
const list = () => form.querySelector("#door-known");
const options = () => [...list().children];
const active = () => list().querySelector('[aria-selected="true"]');
const hasLetters = () => (field().value.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_LETTERS;

let isWaiting = false; // whether the list is not yet that of the text
let pressed = ""; // meanwhile: the arrow, or Enter after it
let chosen = ""; // the person who was chosen when the answer to the line before took the list away

export function closeKnown() {
  list().replaceChildren();
  isWaiting = false;
  choose(null);
}

function choose(option) {
  for (const one of options()) one.setAttribute("aria-selected", String(one === option));
  option?.scrollIntoView({ block: "nearest" });
  const states = { role: "combobox", "aria-autocomplete": "list", "aria-controls": "door-known" };
  for (const [name, value] of Object.entries(states)) field().setAttribute(name, value);
  field().setAttribute("aria-expanded", String(options().length > 0));
  field().setAttribute("aria-activedescendant", option?.id ?? "");
}

function take(option) {
  form.querySelector('[name="person"]').value = option.dataset.key;
  field().value = option.dataset.line;
  form.requestSubmit(form.querySelector("[data-enter]"));
}

// Return whether the arrow was for this list; below its last row comes the list of players.
function move(step) {
  const all = options();
  const place = all.indexOf(active()) + step;
  if (place < -1) return false;
  choose(all[place]);
  return place < all.length;
}

function answers(key) {
  if (isWaiting) {
    if (key === "ArrowDown" || (key === "Enter" && pressed)) pressed = key;
    return Boolean(pressed);
  }
  if (!options().length) return false;
  if (key === "ArrowDown" || key === "ArrowUp") return move(key === "ArrowDown" ? 1 : -1);
  if (!active() || (key !== "Enter" && key !== "Escape")) return false;
  if (key === "Enter") take(active());
  else choose(null);
  return true;
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.target !== field() || event.repeat || !answers(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

document.addEventListener("click", (event) => {
  const option = event.target.closest?.("#door-known > li");
  if (option) take(option);
});

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  if (event.isTrusted) {
    // typed by hand, and not put back after the answer to the line before
    form.querySelector('[name="person"]').value = "";
    pressed = chosen = "";
  }
  isWaiting = hasLetters();
  if (!isWaiting) closeKnown();
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt === list() && !hasLetters()) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target === list() || !event.detail.target.contains(list()) || !active()) return;
  pressed = "ArrowDown";
  chosen = active().dataset.key;
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt !== list() || event.detail.requestConfig.parameters.name !== field().value) return;
  const before = pressed;
  const same = options().find((option) => option.dataset.key === chosen);
  isWaiting = false;
  pressed = chosen = "";
  choose(before ? (same ?? options()[0]) : null);
  if (active() && before === "Enter") take(active());
  else if (before && !active()) field().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
});
