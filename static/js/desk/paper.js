// Typing in paper sheets: Enter sends a table's line, and the cursor is in the next one at once. While the answer is on
// its way, and when it comes, it moves no cursor away from where somebody types, and replaces nothing that was typed.

const starts = () => [...document.querySelectorAll("[data-paper] [data-paper-start]")];
const lineOf = (element) => element.closest(".paper-line");
const fieldsOf = (line) => [...line.querySelectorAll("input:not([type=hidden], [type=checkbox])")];
const isSending = (start) => start.closest("form").matches(".htmx-request");
const typed = new Map(); // what stands in a line that is about to be replaced by one with an error, by the id of the field

/** The first field of the line to type next: the next empty one, else any empty one, else one that was not accepted. */
function nextAfter(line) {
  const others = starts().filter((start) => !line.contains(start) && !isSending(start));
  const isAfter = (start) => line.compareDocumentPosition(start) & Node.DOCUMENT_POSITION_FOLLOWING;
  return others.find((start) => isAfter(start) && !start.value) ?? others.find((start) => !start.value) ?? others[0];
}

/** The line in which the cursor is, if it is in one. */
const lineInUse = () => lineOf(document.activeElement);

// What was wrong with the line before says nothing about the one that is being typed now.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.(":is(.paper-line__input, .figures input)[aria-invalid]")) return;
  event.target.removeAttribute("aria-invalid");
  event.target.closest("td")?.querySelector(".field__error")?.remove();
  event.target.closest("form").querySelector(".paper-line__entry + .field__error")?.remove();
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt.matches(".paper-line form")) nextAfter(lineOf(event.detail.elt))?.focus();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  if (xhr.status !== 422 || !target.matches(".paper-line")) return;
  for (const field of fieldsOf(target)) typed.set(field.id, field.value);
});

document.addEventListener("htmx:afterSettle", (event) => {
  const line = event.detail.elt;
  if (!line.matches?.(".paper-line")) return;
  if (line.matches("[data-saved]")) {
    if (!lineInUse()) nextAfter(line)?.focus();
    return;
  }
  for (const field of fieldsOf(line)) field.value = typed.get(field.id) ?? field.value;
  const inUse = lineInUse();
  const isTyping = inUse && inUse !== line && fieldsOf(inUse).some((field) => field.value);
  if (!isTyping) focusAtEnd(line.querySelector("[aria-invalid=true]") ?? fieldsOf(line)[0]);
  else document.dispatchEvent(new CustomEvent("toast", { detail: { text: line.dataset.refused, kind: "error" } }));
});

/** Selects nothing: a key that was meant for another line must not replace what stands here. */
function focusAtEnd(field) {
  field.focus();
  if (field.type === "text") field.setSelectionRange(field.value.length, field.value.length);
}
