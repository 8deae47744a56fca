// A secret travels behind the # of an address, which browsers never send. This puts it into the form fields marked
// data-fragment-code, opens what the first one to be seen is folded in, and takes it out of the address bar and the history.
const fields = [...document.querySelectorAll("[data-fragment-code]")];
const field = fields.find((one) => one.type !== "hidden") ?? fields[0];
const code = decodeURIComponent(location.hash.slice(1));

if (field && code) {
  for (const one of fields) one.value = code;
  field.closest("details")?.setAttribute("open", "");
  history.replaceState(null, "", location.pathname + location.search);
  const next = [...field.form.elements].find(
    (element) => element !== field && element.matches("input:not([type=hidden]), button") && !element.value,
  );
  if (!document.activeElement.value) next?.focus(); // nobody types yet
}
