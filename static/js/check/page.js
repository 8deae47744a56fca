/* The page that checks a record: what was checked, what was not and why, the own way, and older records to compare with. */

import { differencesNotice, doneList, notCompared, notice, rightNotice, sentencesOf, uncheckedList } from "./answer.js";
import { element } from "./elements.js";
import { run } from "./jobs.js";
import { ownWay } from "./own.js";
import { openWords } from "./words.js";

const NEEDED = ["AbortController", "Blob", "FormData", "fetch"];
const part = (name) => document.getElementById(`check-${name}`);

export function openPage() {
  const { dataset } = part("page");
  const config = JSON.parse(part("words").content.textContent);
  const page = {
    ...dataset,
    worker: dataset.worker ?? bundleAddress(),
    words: openWords(config, document.documentElement.lang),
    text: null, // of the record that is right
  };
  part("too-old").hidden = true;
  const missing = NEEDED.find((name) => !globalThis[name]);
  if (missing) return showWrong(page, { failure: missing });
  part("start")?.addEventListener("click", () => checkLive(page));
  onFile(page, "file", (text, name) => check(page, text, "of_file", { name }));
  onFile(page, "older", (text) => compare(page, text), { isKept: true });
  part("who").addEventListener("change", () => showOwn(page));
  for (const control of document.querySelectorAll("[data-check-control]")) control.hidden = false;
  const given = part("given"); // a record that the file brings with it
  if (given) check(page, given.content.textContent, "of_file", given.dataset);
}

/** The address of the script itself, where it stands in the page. */
function bundleAddress() {
  const script = part("script").textContent;
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

/* -- What is checked ----------------------------------------------------------------------------------------------- */

async function checkLive(page) {
  const signal = begin(page, page.words.say("loading"));
  const text = await loaded(page.record, signal);
  if (signal.aborted) return;
  if (text === null) showProblem(page.words.say("not_loaded"));
  else await check(page, text, "of_live");
}

async function loaded(address, signal) {
  try {
    const response = await fetch(address, { cache: "no-cache", signal });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** Uses the file that is chosen. isKept: whether the answer so far stays. */
function onFile(page, name, use, { isKept = false } = {}) {
  part(name).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const signal = begin(page, page.words.say("reading"), { isKept });
    const text = await new Response(file).text().catch(() => null);
    target.value = ""; // the same file may be chosen again
    if (signal.aborted) return;
    if (text === null) showProblem(page.words.say("not_read", { name: file.name }));
    else await use(text, file.name);
  });
}

/** Checks a record, and shows the answer. origin, params: the sentence that says which one it was. */
async function check(page, text, origin, params) {
  const { result, wrong } = await doing(page, "check", [text]);
  const of = page.words.say(origin, params);
  if (wrong) showWrong(page, wrong, of);
  if (!result) return;
  Object.assign(page, { text, details: result.details });
  showRight(page, result, of);
}

/** Compares with an older record; the one of the program is checked first if none was so far. */
async function compare(page, older) {
  if (page.text === null && page.record) await checkLive(page);
  if (page.text === null) {
    if (!page.record) showProblem(page.words.say("choose_first"));
    return;
  }
  const { result, wrong } = await doing(page, "compare", [older, page.text], { isKept: true });
  if (!result && !wrong) return;
  end();
  part("differences").replaceChildren(wrong ? notCompared(page.words, wrong) : differencesNotice(page.words, result));
}

/** Does a job while its progress is shown. What is begun later stops it. */
async function doing(page, job, texts, { isKept = false } = {}) {
  const signal = begin(page, page.words.say("reading"), { isKept });
  const answer = await run(page.worker, job, texts, { signal, onProgress: (progress) => showProgress(page, progress) });
  if (answer.wrong?.failure) Promise.reject(answer.wrong); // to be told to the server: see errors.js
  return answer;
}

/* -- Progress ------------------------------------------------------------------------------------------------------ */

/** Stops what was begun before, and returns the signal that stops this. */
function begin(page, sentence, { isKept = false } = {}) {
  page.stop?.abort();
  page.stop = new AbortController();
  part("progress").hidden = false;
  part("progress").querySelector("progress").removeAttribute("value");
  part("step").textContent = sentence;
  part("differences").replaceChildren();
  if (!isKept) forget(page);
  return page.stop.signal;
}

function forget(page) {
  page.text = null;
  part("result").replaceChildren();
  for (const name of ["done", "own"]) part(name).hidden = true;
}

function showProgress({ words }, { kind, done, total, ...params }) {
  const progress = part("progress").querySelector("progress");
  progress.max = total;
  progress.value = done;
  part("step").textContent = words.say(`progress_${kind}`, params);
}

function end() {
  part("progress").hidden = true;
}

/* -- The answer ---------------------------------------------------------------------------------------------------- */

function showRight(page, result, of) {
  end();
  const { words, details } = page;
  part("result").replaceChildren(rightNotice(words, result, of));
  part("list").replaceChildren(doneList(words, details));
  part("unchecked-list").replaceChildren(uncheckedList(words, result.unchecked));
  part("unchecked").hidden = !result.unchecked.length;
  part("done").hidden = !(result.draws + result.sheets + result.unchecked.length);
  part("own").hidden = false;
  fillNames(page);
}

function showWrong({ words }, wrong, of) {
  if (wrong.failure) return showProblem(sentencesOf(words, wrong)[0]);
  end();
  const title = element("p", { class: "notice__title" }, words.say("wrong"));
  const sentences = [...sentencesOf(words, wrong), of].map((text) => element("p", {}, text));
  part("result").replaceChildren(notice("error", title, ...sentences));
}

/** What kept the record from being checked. */
function showProblem(sentence) {
  end();
  part("result").replaceChildren(notice("warning", element("p", {}, sentence)));
}

/* -- Ich ----------------------------------------------------------------------------------------------------------- */

function fillNames(page) {
  const who = part("who");
  const known = who.value || remembered(page);
  const options = page.details.people.map(({ number, name }) => element("option", { value: number }, `${name} (${number})`));
  who.replaceChildren(element("option", { value: "" }, who.dataset.nobody), ...options);
  who.value = options.some(({ value }) => value === known) ? known : "";
  showOwn(page);
}

/** The number that the players' page keeps on this device. */
function remembered({ details }) {
  try {
    return localStorage.getItem(`me:${location.pathname.split("/t/")[0]}${details.slug}`) ?? "";
  } catch {
    return "";
  }
}

function showOwn({ details, words }) {
  const player = Number(part("who").value);
  part("way").replaceChildren(...(player ? ownWay(details, player, words) : []));
}
