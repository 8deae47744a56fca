/* Errors of the sheet's page, told to the server: where and of which class, without the message, which may hold a name.

   A script of its own, and the first one, so that it hears of a module that cannot be read. */

(() => {
  const { url, version } = document.currentScript.dataset;
  const PLACE = /\/static\/((?:js\/sheet|vendor\/idb-[\d.]+)\/\w+)(?:\.[0-9a-f]{12})?\.js:(\d+):(\d+)/;
  const told = new Set();
  const MOST = 3;

  /** `where` is text with the address of a script of ours, a line and a column. */
  function tell(error, where) {
    const place = PLACE.exec(where);
    if (!place || told.size === MOST) return;
    const [, name, line, column] = place;
    const kind = /^[A-Za-z]{1,40}$/.test(error?.name) ? error.name : "Error";
    const body = JSON.stringify({ file: `${name}.js`, line: Number(line), column: Number(column), kind, version });
    if (told.has(body)) return;
    told.add(body);
    const headers = { "Content-Type": "application/json" };
    fetch(url, { method: "POST", headers, body, cache: "no-store", keepalive: true }).catch(() => {});
  }

  addEventListener("error", (event) => tell(event.error, `${event.filename}:${event.lineno}:${event.colno}`));
  addEventListener("unhandledrejection", (event) => tell(event.reason, event.reason?.stack));
})();
