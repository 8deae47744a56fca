// A secret travels behind the # of an address, which browsers never send. This puts it into the form field marked
// data-fragment-code and takes it out of the address bar and the history.
const field = document.querySelector("[data-fragment-code]");
const code = decodeURIComponent(location.hash.slice(1));

if (field && code) {
  field.value = code;
  history.replaceState(null, "", location.pathname + location.search);
  const next = [...field.form.elements].find(
    (element) => element !== field && element.matches("input:not([type=hidden]), button") && !element.value,
  );
  if (!document.activeElement.value) next?.focus(); // nobody types yet
}
