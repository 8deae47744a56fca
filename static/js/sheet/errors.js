/* Errors of the sheet's page, told to the server: where and of which class, without the message, which may hold a name. And what an old
   browser cannot do, said before anybody taps: as long as main.js is not alive, an error of the language means that this phone cannot write.

   A script of its own, and the first one, so that it hears of a module that cannot be read; in words that every browser reads. */

(function () {
  var said = document.currentScript.dataset;
  var page = document.documentElement.dataset;
  var PLACE = /\/static\/((?:js\/sheet|vendor\/idb-[\d.]+)\/\w+)(?:\.[0-9a-f]{12})?\.js:(\d+):(\d+)/;
  var NEEDED = ["AbortController", "FormData", "Intl", "ResizeObserver", "URLSearchParams", "crypto", "fetch"];
  var AFTER_ALL_MODULES_MS = 2000;
  var MOST = 3;
  var told = [];
  var isCutOff = false; // a script did not arrive, or something else failed than an old browser does

  function tell(file, line, column, error) {
    var kind = error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : "Error";
    var body = JSON.stringify({ file: file, line: Number(line), column: Number(column), kind: kind, version: said.version });
    if (told.length === MOST || told.indexOf(body) >= 0) return;
    told.push(body);
    var request = new XMLHttpRequest();
    request.open("POST", said.url);
    request.setRequestHeader("Content-Type", "application/json");
    request.send(body);
  }

  /* `where` is text with the address of a script of ours, a line and a column. */
  function fail(error, where) {
    var place = PLACE.exec(where);
    if (!place) return;
    tell(place[1] + ".js", place[2], place[3], error);
    if (/^(Syntax|Type|Reference)Error$/.test(error && error.name)) refuse();
    else if (!("tooOld" in page)) isCutOff = true;
  }

  function refuse() {
    var main = document.getElementById("main");
    if (!main || isCutOff || "alive" in page) return;
    page.tooOld = ""; // main.js does not begin
    main.textContent = "";
    var sentence = main.appendChild(document.createElement("p"));
    sentence.className = "notice";
    sentence.setAttribute("data-kind", "error");
    sentence.setAttribute("role", "alert");
    sentence.textContent = said.tooOld;
  }

  var missing = NEEDED.filter(function (name) { return !window[name]; });
  if (!("noModule" in document.createElement("script"))) missing.push("module");
  if (missing.length) {
    page.tooOld = "";
    tell("js/sheet/errors.js", 1, 1, { name: "NotSupportedError" });
    document.addEventListener("DOMContentLoaded", refuse);
  }
  addEventListener("error", function (event) {
    if (event.target === window) fail(event.error, event.filename + ":" + event.lineno + ":" + event.colno);
    else if (event.target.localName === "script") isCutOff = true;
  }, true);
  addEventListener("unhandledrejection", function (event) { fail(event.reason, event.reason && event.reason.stack); });
  addEventListener("load", function () { setTimeout(refuse, AFTER_ALL_MODULES_MS); });
})();
