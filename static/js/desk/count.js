// The sum of the notes and coins while they are typed, and its difference to what must be in the desk.

const form = document.querySelector("[data-count]");
const money = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: "EUR" });

function show(name, cents) {
  const place = form.querySelector(`[${name}]`);
  place.textContent = money.format(cents / 100).replace("-", "−");
  place.parentElement.hidden = false;
  return place.parentElement;
}

function count() {
  const cents = [...form.querySelectorAll("[data-piece]")]
    .map((field) => Number(field.dataset.piece) * (/^\d+$/.test(field.value.trim()) ? Number(field.value) : 0))
    .reduce((sum, value) => sum + value, 0);
  const difference = cents - Number(form.dataset.expected);
  show("data-counted", cents);
  const stat = show("data-difference", difference);
  if (difference) stat.dataset.kind = "warning";
  else delete stat.dataset.kind;
}

if (form) {
  form.addEventListener("input", count);
  count();
}
