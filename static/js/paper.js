// Typing in paper sheets: as soon as a table's line is stored, the cursor waits in the next one.
document.addEventListener("htmx:afterSettle", (event) => {
  const stored = event.detail.elt;
  if (!stored.matches?.(".paper-line[data-saved]")) return;
  const lines = [...document.querySelectorAll("[data-paper] input[name=line]")];
  const after = (line) => stored.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
  (lines.find((line) => after(line) && !line.value) ?? lines.find((line) => !line.value) ?? lines[0])?.focus();
});
