// The desk's keyboard, and the promise that nothing typed is lost: neither to an answer that comes while somebody
// types on, nor to the list that renews itself.

const field = (name) => document.querySelector(`#door-form [name="${name}"]`);
const sent = new WeakMap();
let carried = null;

document.addEventListener("keydown", (event) => {
  if (event.key === "F2") {
    const unpaid = field("unpaid");
    if (!unpaid) return;
    event.preventDefault();
    unpaid.checked = !unpaid.checked;
    field("name").focus();
  } else if (event.key === "Escape" && event.target.closest?.("#door-form") && clearLine()) {
    event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-door-clear]") && clearLine()) event.preventDefault();
});

// The warning goes with the name that it was about.
function clearLine() {
  const form = document.querySelector("#door-form");
  if (!form) return false;
  for (const name of ["name", "club", "anyway"]) field(name).value = "";
  for (const notice of form.querySelectorAll(".notice, .field__error")) notice.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  field("name").focus();
  return true;
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
    carried = xhr.status === 200 && now !== before.name ? now.slice(now.startsWith(before.name) ? before.name.length : 0) : "";
  }
  // The list renews itself, but not under an open menu.
  const isPoll = !requestConfig?.triggeringEvent;
  if (isPoll && target?.querySelector?.("details.menu[open]")) event.detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSettle", () => {
  if (carried === null) return;
  const name = field("name");
  if (name && !document.querySelector("#door-form [aria-invalid=true]")) {
    name.focus();
    if (carried) {
      name.value = carried + name.value;
      name.setSelectionRange(name.value.length, name.value.length);
    }
  }
  carried = null;
  document.querySelector("#messages")?.replaceChildren(); // what was said before is old news now
});
