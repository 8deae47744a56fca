// The desk's keyboard. One field searches, checks in and registers; after every action the focus is in it again. Enter takes
// the line out of the form, which is free for the next person at once. Lines are sent one by one, in the order of their Enter.

import { closeKnown } from "./known.js";

const LIST = "#door-list";
const SEARCH = "#door-line .field";
const form = document.querySelector("#door-form");
const field = (name) => form.querySelector(`[name="${name}"]`);
const texts = () => [...form.querySelectorAll(".field input")];
const isEmpty = () => texts().every((input) => !input.value.trim());
const onTouchScreen = matchMedia("(pointer: coarse)");

const lines = []; // typed and not sent yet
const questions = []; // sent and refused while the next line was typed: asked again when the field is empty
let sending = null; // the line under way
let isPassing = false; // whether htmx may see the submit event
let isLost = false; // whether the line in the form was sent, and not answered
let typed = null; // what was typed while the answer was under way, with the name of the field that had the focus
let hadFocus = false;

document.addEventListener("keydown", (event) => {
  if (event.key === "F2") {
    const unpaid = field("unpaid");
    if (!unpaid) return;
    event.preventDefault();
    unpaid.checked = !unpaid.checked;
    focusName();
  } else if (event.key === "F8" && !sending) {
    document.querySelector("#door-remember")?.click();
  } else if (event.key === "F4" && !event.altKey && !event.ctrlKey) {
    const kinds = [...form.querySelectorAll('[name="fee"]')];
    if (!kinds.length) return;
    event.preventDefault();
    kinds[(kinds.findIndex((kind) => kind.checked) + 1) % kinds.length].checked = true;
    showFee();
    focusName();
  } else if (event.key === "Enter" && event.repeat && form.contains(event.target)) {
    event.preventDefault();
  } else if (event.key === "Escape" && form.contains(event.target)) {
    event.preventDefault();
    clearLine();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (moveInList(event.target, event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-door-clear]")) return;
  event.preventDefault();
  clearLine();
});

document.addEventListener("change", (event) => {
  if (event.target.name === "fee" && form.contains(event.target)) showFee();
});

// The buttons of the list say the fee that is chosen here, and check in with it.
function showFee() {
  htmx.trigger(field("name").closest(".field"), "input");
}

document.addEventListener("input", (event) => {
  if (event.target === field("name")) clearQuestion();
});

// Down from the field and up again, one row of the list at a time, by the first button of each.
function moveInList(from, step) {
  const rows = [...document.querySelectorAll(`${LIST} .actions`)];
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

function clearLine() {
  emptyLine();
  searchAgain();
  setTimeout(sendNext); // a question may wait for an empty field
}

function emptyLine() {
  fillLine({ fee: field("fee")?.value });
  closeKnown();
  clearQuestion();
  form.querySelector("#door-hint").replaceChildren();
  focusName();
}

// The warning goes with the name that it was about.
function clearQuestion() {
  for (const notice of form.querySelectorAll(".notice:not(#joining-ended), .field__error")) notice.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  const button = form.querySelector("[data-enter]");
  button.textContent = button.dataset.enter;
  button.value = "";
}

function fillLine(line) {
  for (const input of [...texts(), field("anyway"), field("person")]) input.value = line[input.name] ?? "";
  for (const kind of form.querySelectorAll('[name="fee"]')) kind.checked = kind.value === line.fee;
  if (field("unpaid")) field("unpaid").checked = Boolean(line.unpaid);
}

function readLine(submitter) {
  const line = Object.fromEntries(new FormData(form));
  if (submitter?.name) line[submitter.name] = submitter.value;
  for (const name of ["once", "csrfmiddlewaretoken"]) delete line[name]; // those of the moment when it is sent
  return line;
}

function searchAgain() {
  field("name").dispatchEvent(new Event("input", { bubbles: true }));
}

// --- lines, one by one -----------------------------------------------------------------------------------------------

document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== form || isPassing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isEmpty()) {
      focusName();
    } else {
      lines[isLost ? "unshift" : "push"](readLine(event.submitter));
      isLost = false;
      emptyLine();
    }
    setTimeout(sendNext); // a form ignores requestSubmit within its submit event
  },
  true,
);

function sendNext() {
  if (!sending) {
    sending = lines.shift() ?? (isEmpty() ? questions.shift() : null) ?? null;
    isPassing = true;
    if (sending) form.requestSubmit(form.querySelector("[data-enter]"));
    isPassing = false;
  }
  const waiting = document.querySelector("#door-waiting");
  waiting.hidden = !lines.length && !questions.length;
  waiting.textContent = [waiting.dataset.says, ...[...lines, ...questions].map((line) => line.name)].join(" · ");
}

const isLine = (event) => (event.detail.requestConfig ?? event.detail).elt === form;

document.addEventListener("htmx:configRequest", (event) => {
  if (!isLine(event)) return;
  const { parameters } = event.detail;
  for (const name of ["as_new", ...Object.keys(readLine())]) delete parameters[name];
  Object.assign(parameters, sending);
});

document.addEventListener("htmx:beforeRequest", (event) => {
  // The answer to the line brings the list; a search at the same time might bring the one before it.
  if (sending && event.detail.elt.matches(SEARCH)) event.preventDefault();
});

// Whether a list is not that of the text in the field, or the answer to the line under way brings another one.
function isOutdated({ requestConfig, target }) {
  const searched = requestConfig?.verb === "get" ? requestConfig.parameters?.name : undefined;
  if (searched === undefined) return false;
  return (sending && target?.id !== "door-known") || searched !== field("name").value;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, target, requestConfig } = event.detail;
  hadFocus = Boolean(target?.contains?.(document.activeElement));
  if (isLine(event)) {
    if (xhr.status === 200) typed = { line: readLine(), focused: document.activeElement?.name };
    else if (xhr.status === 422 && (lines.length || !isEmpty())) {
      questions.push(sending);
      event.detail.shouldSwap = false;
    }
    return;
  }
  const isPoll = !requestConfig?.triggeringEvent;
  // The list renews itself, but not under an open menu, nor while another one is searched for, which would not find it any more.
  const isKept = target?.querySelector?.("details.menu[open]") || (target?.matches(LIST) && document.querySelector(`${SEARCH}.htmx-request`));
  if (isPoll && isKept) event.detail.shouldSwap = false;
  if (isOutdated(event.detail)) event.detail.shouldSwap = false;
});

// What is asked for now and not answered yet is older than this answer. What has asked may be gone then, and nobody would hear of it.
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig, shouldSwap, target } }) => {
  if (!shouldSwap || !requestConfig?.triggeringEvent || !target?.matches(`${LIST}, #door-line`)) return;
  for (const asking of document.querySelectorAll(`${LIST}, ${SEARCH}`)) {
    if (asking === requestConfig.elt) continue;
    // The answer to a button of the list is not that of the text in the field.
    if (target.matches(LIST) && asking.matches(`${SEARCH}.htmx-request`)) setTimeout(searchAgain);
    htmx.trigger(asking, "htmx:abort");
  }
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (!isLine(event)) return keepFocus(event.detail.requestConfig);
  if (typed) {
    fillLine(typed.line);
    (field(typed.focused || "name") ?? field("name")).focus();
    if (typed.line.name) searchAgain();
    typed = null;
  } else if (document.querySelector("#door-hint[data-choose]")) {
    focusName();
  }
  document.querySelector("#messages")?.replaceChildren(); // what was said before is old news now
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isLine(event)) return;
  const isAnswered = [200, 422].includes(event.detail.xhr.status);
  if (!isAnswered && isEmpty()) {
    fillLine(sending);
    isLost = true;
  } else if (!isAnswered) {
    lines.unshift(sending);
  }
  sending = null;
  if (isAnswered) setTimeout(sendNext); // htmx has not finished with the request yet
});

// After an action, and where the answer has taken away the button that had the focus. Not for a finger: the field would
// bring up the keyboard on the screen.
function keepFocus(requestConfig) {
  const isLost = hadFocus && document.activeElement === document.body;
  const isAction = requestConfig?.verb === "post" && requestConfig.elt?.id !== "door-form";
  if (isAction && field("fee")) field("fee").checked = true; // the first one, for each person anew
  if (!(isLost || isAction) || onTouchScreen.matches) return;
  const byKeyboard = requestConfig?.triggeringEvent?.detail === 0;
  focusName({ preventScroll: !byKeyboard });
}
