// A row of the door's list whose button was pressed stays in its place until the list is loaded anew. Instead of its buttons it
// says what happened and offers to undo it: the words and the form of the note above the list.

const LIST = "#door-list";
const kept = new Map(); // by id of the row: the row, its place and its table, or the section of the sign-ups
let isSwapping = false; // htmx tells of one swap several times
let pressed = ""; // the id of the row whose button was pressed, while the answer is under way

const isList = (event) => event.detail.requestConfig && event.detail.target?.matches?.(LIST);

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, xhr } = event.detail;
  if (!isList(event) || !event.detail.shouldSwap) return;
  isSwapping = true;
  const isAction = requestConfig.verb === "post";
  if (!isAction && requestConfig.triggeringEvent) kept.clear();
  pressed = "";
  if (!isAction || xhr.status !== 200) return;
  const row = requestConfig.elt.closest(`${LIST} tr[id]`);
  if (!row) return;
  kept.delete(row.id); // an undo: the row is as it was
  if (requestConfig.elt.matches("form")) return;
  pressed = row.id;
  kept.set(row.id, { row, box: row.closest("#sign-ups") ?? row.closest("table"), place: row.sectionRowIndex });
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.requestConfig?.elt.id === "door-form") kept.clear(); // its answer brings the list
  if (!isSwapping) return;
  isSwapping = false;
  if (pressed) sayWhatHappened(pressed);
  pressed = "";
  for (const entry of [...kept.values()].sort((one, other) => one.place - other.place)) putBack(entry);
});

function sayWhatHappened(id) {
  const note = document.querySelector("#door-note .notice[data-kind=success]");
  if (!note) return kept.delete(id);
  const words = document.createElement("span");
  words.textContent = note.querySelector(".door-note__text > span")?.textContent ?? "";
  const parts = [words, note.querySelector("#door-undo")?.form.cloneNode(true)].filter(Boolean);
  for (const element of parts[1]?.querySelectorAll("[id]") ?? []) element.removeAttribute("id");
  kept.get(id).row.querySelector(".actions").replaceChildren(...parts);
}

function putBack(entry) {
  const { row, box, place } = entry;
  const now = document.getElementById(row.id);
  const says = now && [...now.cells].slice(0, -1).map((cell) => cell.textContent.trim()).join();
  if (now && "says" in entry && entry.says !== says) return kept.delete(row.id); // somebody has changed it since
  entry.says = says;
  if (now) {
    now.querySelector(".actions").replaceWith(row.querySelector(".actions"));
    entry.row = now;
  } else {
    row.querySelector(".cluster")?.replaceChildren(); // its state has changed
    insert(row, box, place);
  }
  entry.row.classList.add("is-done");
  htmx.process(entry.row);
}

/** Puts a row that the new list does not hold in its old place; the list may not even have the table any more. */
function insert(row, box, place) {
  const body = document.querySelector(box.id ? `#${box.id} tbody` : `${LIST} > form > table > tbody`);
  if (body) return body.insertBefore(row, body.rows[place] ?? null);
  box.querySelector("tbody").replaceChildren(row);
  if (box.id) document.querySelector(LIST).prepend(box);
  else document.querySelector(`${LIST} > form`).append(box);
}
