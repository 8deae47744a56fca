// Typing in paper sheets: as soon as a table's line is stored, the cursor waits in the next one.
// What was wrong with the line before says nothing about the one that is being typed now.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.(":is(.paper-line__input, .figures input)[aria-invalid]")) return;
  event.target.removeAttribute("aria-invalid");
  event.target.closest("td")?.querySelector(".field__error")?.remove();
  event.target.closest("form").querySelector(".paper-line__entry + .field__error")?.remove();
});

document.addEventListener("htmx:afterSettle", (event) => {
  const stored = event.detail.elt;
  if (!stored.matches?.(".paper-line[data-saved]")) return;
  const lines = [...document.querySelectorAll("[data-paper] [data-paper-start]")];
  const after = (line) => stored.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
  (lines.find((line) => after(line) && !line.value) ?? lines.find((line) => !line.value) ?? lines[0])?.focus();
});
