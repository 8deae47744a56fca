// The desk's keyboard. One field searches, checks in and registers; after every action the focus is in it again. Nothing
// that was typed is lost: neither to an answer that comes while somebody types on, nor to the list that renews itself.

const field = (name) => document.querySelector(`#door-form [name="${name}"]`);
const onTouchScreen = matchMedia("(pointer: coarse)");
const sent = new WeakMap();
let afterwards = null; // what stands in the field once the answer is shown, and whether the answer was a refusal
let hadFocus = false;

document.addEventListener("keydown", (event) => {
  if (event.key === "F2") {
    const unpaid = field("unpaid");
    if (!unpaid) return;
    event.preventDefault();
    unpaid.checked = !unpaid.checked;
    focusName();
  } else if (event.key === "F4" && !event.altKey && !event.ctrlKey) {
    const kinds = [...document.querySelectorAll('#door-form [name="fee"]')];
    if (!kinds.length) return;
    event.preventDefault();
    kinds[(kinds.findIndex((kind) => kind.checked) + 1) % kinds.length].checked = true;
    focusName();
  } else if (event.key === "Escape" && event.target.closest?.("#door-form") && clearLine()) {
    event.preventDefault();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (moveInList(event.target, event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-door-clear]") && clearLine()) event.preventDefault();
});

// Down from the field and up again, one row of the list at a time, by the first button of each.
function moveInList(from, step) {
  const rows = [...document.querySelectorAll("#door-list .actions")];
  const isField = from === field("name");
  const place = isField ? -1 : rows.findIndex((row) => row.contains(from));
  if (place === -1 && !(isField && step === 1)) return false;
  const next = rows[place + step];
  if (next) next.querySelector("button, summary").focus();
  else if (place + step < 0) focusName();
  return true;
}

function focusName(options) {
  const name = field("name");
  name.focus(options);
  name.select();
}

// The warning goes with the name that it was about.
function clearLine() {
  const form = document.querySelector("#door-form");
  if (!form) return false;
  for (const input of form.querySelectorAll('.field input, [name="anyway"]')) input.value = "";
  for (const notice of form.querySelectorAll(".notice, .field__error")) notice.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  focusName();
  searchAgain();
  return true;
}

function searchAgain() {
  field("name").dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id !== "door-form") return;
  sent.set(event.detail.xhr, { name: field("name").value, club: field("club").value });
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target, requestConfig } = event.detail;
  const before = sent.get(xhr);
  if (before) {
    // What was typed while the answer was on its way belongs to the next person.
    const now = field("name").value;
    const isDone = xhr.status === 200;
    const rest = now.startsWith(before.name) ? now.slice(before.name.length) : now;
    afterwards = { isDone, text: now === before.name ? "" : isDone ? rest : now };
  }
  hadFocus = Boolean(target?.contains?.(document.activeElement));
  const isPoll = !requestConfig?.triggeringEvent;
  // The list renews itself, but not under an open menu; and not for a text that is no longer in the field.
  if (isPoll && target?.querySelector?.("details.menu[open]")) event.detail.shouldSwap = false;
  const searched = requestConfig?.verb === "get" ? requestConfig.parameters?.name : undefined;
  if (searched !== undefined && searched !== field("name").value) event.detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (afterwards) showLineAgain();
  else keepFocus(event.detail.requestConfig);
});

function showLineAgain() {
  const { isDone, text } = afterwards;
  afterwards = null;
  const name = field("name");
  if (name && !document.querySelector("#door-form [aria-invalid=true]")) {
    name.focus();
    if (text) {
      name.value = isDone ? text + name.value : text;
      name.setSelectionRange(name.value.length, name.value.length);
      searchAgain();
    } else if (document.querySelector("#door-hint[data-choose]")) name.select();
  }
  document.querySelector("#messages")?.replaceChildren(); // what was said before is old news now
}

// After an action, and where the answer has taken away the button that had the focus. Not for a finger: the field would
// bring up the keyboard on the screen.
function keepFocus(requestConfig) {
  const isLost = hadFocus && document.activeElement === document.body;
  const isAction = requestConfig?.verb === "post" && requestConfig.elt?.id !== "door-form";
  if (!(isLost || isAction) || onTouchScreen.matches) return;
  const byKeyboard = requestConfig?.triggeringEvent?.detail === 0;
  focusName({ preventScroll: !byKeyboard });
}
