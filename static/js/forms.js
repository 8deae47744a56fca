// Forms that change something, on every page: a form is sent once, and its button says that the answer is under way. Not a
// module: it has to be here before the first click.
(() => {
  const GIVEN_UP_MS = 20_000; // the page is still here: the answer was a download, or was stopped

  const isPost = (form) => form.getAttribute("method")?.toLowerCase() === "post";
  const idField = (form) => form?.querySelector('input[name="once"]');
  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");

  function begin(sender, button, what) {
    sender.dataset.sending = what; // of the whole page, or of a part that htmx asks for
    button?.setAttribute("aria-busy", "true");
  }

  function end(sender) {
    delete sender.dataset.sending;
    for (const button of [sender, ...sender.querySelectorAll("[aria-busy]")]) button.removeAttribute("aria-busy");
  }

  const refuse = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!isPost(form)) return;
      const field = idField(form);
      if (field && !field.value) field.value = newId(); // a page that is the same for everybody has none
      if (form.dataset.sending === "page" || ("sending" in form.dataset && !form.matches("[hx-post]"))) refuse(event);
    },
    true,
  );

  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !isPost(form)) return;
    begin(form, event.submitter, "page");
    setTimeout(() => end(form), GIVEN_UP_MS);
  });

  // Back to a page that was left while it was sending.
  addEventListener("pageshow", (event) => {
    if (event.persisted) for (const form of document.querySelectorAll("[data-sending]")) end(form);
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig } = event.detail;
    if (requestConfig.verb === "get") return;
    if ("sending" in elt.dataset) event.preventDefault();
    else begin(elt, requestConfig.triggeringEvent?.submitter ?? elt, "part");
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, requestConfig, successful } = event.detail;
    if (!requestConfig || requestConfig.verb === "get" || elt.dataset.sending === "page") return;
    end(elt);
    // Where the form still stands, pressing again is something new. After a lost answer it is not.
    const field = idField(elt.closest("form"));
    if (successful && field) field.value = newId();
  });
})();
