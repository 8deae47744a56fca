/* Errors of a page's scripts, told to the server: where and of which class, without the message, which may hold a name. And what an old
   browser cannot do, said at once: as long as the entry (data-entry) has not set <html data-alive>, an error of the language means that this
   browser cannot do it. The sheet then takes nothing; a page that would keep itself current says so and loads itself anew (data-again).

   A script of its own, and the first one, so that it hears of a module that cannot be read; in words that every browser reads. */

(function () {
  var said = document.currentScript.dataset;
  var page = document.documentElement.dataset;
  var PLACE = /\/static\/((?:js(?:\/\w+)?|vendor\/idb-[\d.]+)\/[\w-]+)(?:\.[0-9a-f]{12})?\.js:(\d+):(\d+)/;
  var NEEDED = ["AbortController", "EventSource", "FormData", "Intl", "Promise", "ResizeObserver", "URLSearchParams", "crypto", "fetch"];
  var AFTER_ALL_MODULES_MS = 2000;
  var MOST = 3;
  var told = [];
  var kept = {}; // what this window has told before: a page that loads itself anew would tell the same for ever
  try {
    kept = sessionStorage || kept;
  } catch (error) { /* of this page alone, then */ }
  var isCutOff = false; // a script did not arrive, or something else failed than an old browser does
  var isRefused = false;

  function tell(file, line, column, error) {
    var kind = error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : "Error";
    var body = JSON.stringify({ file: file, line: Number(line), column: Number(column), kind: kind, version: said.version });
    if (told.length === MOST || told.indexOf(body) >= 0 || kept["told:" + body]) return;
    told.push(body);
    var request = new XMLHttpRequest();
    request.open("POST", said.url);
    request.setRequestHeader("Content-Type", "application/json");
    request.onload = function () { kept["told:" + body] = "1"; };
    request.send(body);
  }

  /* `where` is text with the address of a script of ours, a line and a column. */
  function fail(error, where) {
    var place = PLACE.exec(where);
    if (!place || "tooOld" in page) return; // what follows from it tells nothing
    tell(place[1] + ".js", place[2], place[3], error);
    if (/^(Syntax|Type|Reference)Error$/.test(error && error.name)) refuse();
    else isCutOff = true;
  }

  function refuse() {
    var main = document.getElementById("main");
    if (!main || !said.tooOld || isRefused || isCutOff || page.alive === said.entry) return;
    isRefused = true;
    page.tooOld = ""; // the entry does not begin
    if (said.again) {
      document.querySelector("[data-live-state], .age").appendChild(document.createTextNode(" – " + said.tooOld));
      setInterval(loadAnew, said.again * 1000);
      return;
    }
    main.textContent = "";
    var sentence = main.appendChild(document.createElement("p"));
    sentence.className = "notice";
    sentence.setAttribute("data-kind", "error");
    sentence.setAttribute("role", "alert");
    sentence.textContent = said.tooOld;
  }

  function loadAnew() {
    if (document.querySelector("input:focus, select:focus, textarea:focus")) return; // somebody writes
    if (said.next) location.replace(said.next);
    else location.reload();
  }

  var missing = NEEDED.filter(function (name) { return !window[name]; });
  if (!("noModule" in document.createElement("script"))) missing.push("module");
  if (missing.length) {
    page.tooOld = "";
    tell("js/errors.js", 1, 1, { name: "NotSupportedError" });
    document.addEventListener("DOMContentLoaded", refuse);
  }
  addEventListener("error", function (event) {
    if (event.target === window) fail(event.error, event.filename + ":" + event.lineno + ":" + event.colno);
    else if (event.target.localName === "script") isCutOff = true;
  }, true);
  addEventListener("unhandledrejection", function (event) { fail(event.reason, event.reason && event.reason.stack); });
  addEventListener("load", function () { setTimeout(refuse, AFTER_ALL_MODULES_MS); });
})();
