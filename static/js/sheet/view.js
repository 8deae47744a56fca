/* The page of the scribe: what is described here from the state of `sync` is drawn after every change.

   What is the same for every kind of sheet stands here; what a deal is and how it is tapped, in a module of the kind. */

import { openBeside } from "./beside.js";
import { draw, h } from "./dom.js";
import { lightOf, STUCK } from "./light.js";
import { append, confirmedAnew, emptySheet, learn, replay } from "./replay.js";
import { openResult } from "./result.js";
import { openReader } from "./words.js";

const TWICE_MS = 500;
const MORE_MS = 5_000;
const SIGNS = { green: "check", amber: "clock", red: "warning" };
const KINDS = {
  survival: () => import("./survival_view.js"),
  hand_points: () => import("./hand_points_view.js"),
  plus_minus: () => import("./plus_minus_view.js"),
};

/** `parts`: the elements header, main, actions, announcer. Answers with the function that draws. */
export function openView(parts, sync, words, { icons, urls, limits, words: texts }) {
  const { say, list } = words;
  const refuse = (refusal, nameOf = page?.nameOf) => words.refuse(refusal, nameOf);
  const local = { message: "", isWriting: false };
  const taps = [];
  let last = { what: "", at: 0 };
  let replayed = { of: null, log: null };
  let page = null;
  let kind = { name: "" };
  let extras = null;
  let isOpening = false;
  let waiting = "";
  let reserved = "";
  let wasTrouble = sync.link === "opening";

  const icon = (name) => h("svg", { class: "icon", "aria-hidden": "true" }, h("use", { href: `${icons}#${name}` }));
  const button = (text, kind, tap, more = {}) =>
    h("button", { type: "button", class: `button ${kind}`, onclick: inTurn(tap), ...more }, text);

  /* -- What stands on the sheet, with what is not sent yet ------------------------------------------------------------ */

  function look() {
    const { sheet } = sync;
    const seats = sheet.seats.map((seat) => seat.seat_number);
    if (replayed.of !== sheet) replayed = { of: sheet, log: logOf(sheet, seats) };
    let { log } = replayed;
    const isWaiting = new Set();
    for (const entry of sync.entries.filter((one) => one.state === "waiting")) {
      try {
        log = append(log, { ...entry, by: "scribe" });
        isWaiting.add(entry.id);
      } catch (refusal) {
        if (!refusal.code) throw refusal; // the server will say why
      }
    }
    log = confirmedAnew(log);
    const isNamesake = (seat) => sheet.seats.some((other) => other !== seat && other.name === seat.name);
    const names = new Map(sheet.seats.map((seat) =>
      [seat.seat_number, isNamesake(seat) ? `${seat.name} (${say("number", { number: seat.start_number }).replace(" ", "\u00a0")})` : seat.name]));
    const nameOf = (seat) => names.get(seat) ?? String(seat);
    const isLetIn = sync.link !== "dead" && sync.link !== "elsewhere" && sheet.round_state === "released";
    const waitsForSign = Boolean(sheet.waits_for_sign) && sync.link === "good"; // without a network nobody knows
    const mayWrite = isLetIn && sheet.pen.mine && log.phase === "open" && !waitsForSign;
    return {
      sheet, seats, log, nameOf, isWaiting, isLetIn, mayWrite, waitsForSign,
      names: (some) => list(some.map(nameOf)),
      read: openReader(words, nameOf, sheet.ruleset.sheet),
      rules: sheet.ruleset.sheet,
      isDecided: log.is_complete || log.phase !== "open",
    };
  }

  function logOf(sheet, seats) {
    const ruleset = { ...sheet.ruleset, hand_values: sheet.hand_values };
    try {
      return replay(ruleset, seats, sheet.entries);
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      local.message = say("page_too_old");
      return emptySheet(ruleset, seats);
    }
  }

  /* -- Writing -------------------------------------------------------------------------------------------------------- */

  /** The tap at once, or as soon as the entry that is being stored is shown: it means the sheet as it then stands. */
  function inTurn(tap) {
    return () => (local.isWriting ? taps.push(tap) : tap());
  }

  /** Why this entry cannot follow now; null if it can. */
  function refusalOf(kind, data) {
    try {
      append(page.log, { id: "00000000-0000-4000-8000-000000000000", kind, data, by: "scribe" });
      const seats = kind === "submitted" ? page.log.to_confirm : [];
      return seats.length ? { code: "confirmations_missing", params: { seats } } : null;
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      return refusal;
    }
  }

  function write(what, data, { once = "" } = {}) {
    const now = performance.now();
    if (once && once === last.what && now - last.at < TWICE_MS) return;
    last = { what: once, at: now, isFact: what === "deal" || what === "ranked" };
    const refusal = refusalOf(what, data);
    if (refusal) {
      complain(refuse(refusal));
      return;
    }
    clear();
    const deal_number = what === "deal" ? page.log.facts.filter((fact) => fact.kind === "deal").length + 1 : null;
    const entry = what === "voided" ? page.log.entries.find((one) => one.id === data.entry) : null;
    const text = page.read({ kind: what, data }, deal_number);
    const said = entry ? say("taken_back", { what: page.read(entry) }) : text;
    navigator.vibrate?.(12);
    local.isWriting = true;
    sync.add(what, data).finally(() => {
      local.isWriting = false;
      parts.announcer.textContent = said;
      while (taps.length && !local.isWriting) taps.shift()();
    });
    draw(parts.header, header());
  }

  function complain(text) {
    local.message = text;
    redraw();
  }

  function clear() {
    local.message = "";
    kind.clear();
  }

  function takeBack(entry_id) {
    write("voided", { entry: entry_id }, { once: "voided" });
  }

  /** What was written last and still counts, an objection too; a mark is the supervisor's. */
  function newest() {
    const { entries, facts, objections } = page.log;
    const standing = new Map([...facts.filter((fact) => fact.kind !== "approved"), ...objections].map((one) => [one.entry_id, one]));
    return standing.get(entries.findLast((entry) => standing.has(entry.id))?.id);
  }

  /** The button means the entry that it names, whatever was written since it was drawn. */
  function takeBackNewest(entry_id) {
    if (newest()?.entry_id === entry_id) takeBack(entry_id);
    else if (!(entry_id in page.log.voided)) complain(say("not_newest"));
  }

  /** The object of a button: "Spiel 16 zurücknehmen". */
  const takeBackLabel = ({ kind, deal_number }) => say(`take_back_${kind ?? "objected"}`, { number: deal_number });

  /* -- What every kind of sheet draws with --------------------------------------------------------------------------- */

  function tally(strokes) {
    if (!strokes) return null;
    const label = say("strokes", { count: strokes });
    return h("span", { class: "tally", role: "img", "aria-label": label }, Array.from({ length: strokes }, () => h("i")));
  }

  /* -- The bar under the thumb ------------------------------------------------------------------------------------- */

  function bar() {
    if (!page) return null;
    if (!page.mayWrite) return watchingBar();
    const choosing = kind.officeBar?.(page);
    if (choosing) return choosing;
    if (page.isDecided) return decidedBar();
    return kind.bar();
  }

  function barOf(question, detail, ...buttons) {
    const hint = local.message
      ? h("p", { key: "message", class: "action-bar__hint action-bar__hint--refused", role: "alert" }, local.message)
      : h("p", { key: "hint", class: "action-bar__hint" }, h("strong", { key: question }, question), detail ? h("span", {}, detail) : null);
    return [hint, ...buttons];
  }

  function undoButton() {
    if (local.isProbe) return button(say("take_back_deal", { number: 88 }), "action-bar__back");
    const found = newest();
    if (!found || refusalOf("voided", { entry: found.entry_id })) return null;
    return button(takeBackLabel(found), "action-bar__back", () => takeBackNewest(found.entry_id), { key: "undo" });
  }

  function cancelButton({ isSmall = false } = {}) {
    const props = { key: "cancel", "aria-label": say("cancel"), "data-cancels": "" };
    return button([icon("cross"), isSmall ? null : say("cancel")], isSmall ? "action-bar__x" : "action-bar__back", () => { clear(); redraw({ isDraft: true }); }, props);
  }

  function lastWords() {
    const fact = page.log.facts.at(-1);
    return fact ? h("span", { class: "action-bar__last" }, say("last", { what: page.read(fact, fact.deal_number) })) : "";
  }

  function decidedBar() {
    const refusal = refusalOf("submitted", {});
    const hint = page.sheet.ruleset.confirmation === "paper" ? say("hand_in_paper") : say("hand_in_hint");
    // Not with the second tap of two that were meant for the last deal.
    const handIn = () => last.isFact && performance.now() - last.at < TWICE_MS || write("submitted", {}, { once: "submitted" });
    return barOf(refusal ? refuse(refusal) : hint, "", undoButton(),
      button(say("hand_in"), "button--primary action-bar__go", handIn, { key: "hand in", disabled: Boolean(refusal) }));
  }

  async function takePen() {
    local.message = "";
    if (!(await sync.takePen())) complain(say("pen_needs_network"));
  }

  function markOfSheet() {
    const { mark } = page.sheet;
    if (!mark || page.isWaiting.size) return null;
    return h("p", { key: "mark", class: "action-bar__mark" }, `${say("mark")} `, h("strong", {}, mark));
  }

  const penButton = (kind) => button([icon("pen"), say("take_pen")], `${kind} action-bar__go`, takePen, { key: "pen" });

  function onlyWatch() {
    local.isReader = true;
    redraw();
  }

  function watchingBar() {
    const { sheet, log } = page;
    if (!page.isLetIn) return barOf(sheet.round_state === "released" ? say("not_let_in") : say("round_closed"), "");
    if (log.phase === "accepted") return barOf(say("is_accepted"), "", markOfSheet());
    if (log.phase === "submitted" && page.isWaiting.size) return barOf(say("is_submitted_here"), say("is_submitted_here_hint"));
    if (log.phase === "submitted") return barOf(say("is_submitted"), say("is_submitted_hint"), markOfSheet());
    const { mine, taken } = sheet.pen;
    if (mine) return barOf(say("write_after_sign"), "");
    if (taken && local.isReader) return barOf(say("watching"), "", penButton(""));
    const isHeld = taken && sheet.ruleset.pen_needs_supervisor;
    if (isHeld || sync.link !== "good") return barOf(isHeld ? say("pen_is_held") : say("pen_needs_network"), "");
    return barOf(taken ? say("other_phone_writes") : say("nobody_writes"), taken ? say("watching_and_pen") : say("watching"),
      taken ? button(say("only_watch"), "action-bar__no", onlyWatch, { key: "watch" }) : null, penButton("button--primary"));
  }

  /** What `bar` describes for each of these drafts of a kind. */
  function barsOf(draft, clear, bar, drafts) {
    const now = { ...draft };
    const bars = drafts.map((one) => {
      clear();
      Object.assign(draft, one);
      return bar();
    });
    Object.assign(draft, now);
    return bars;
  }

  /** The bar keeps one height while the sheet is written, and one afterwards: of the tallest state, which is drawn to measure it. */
  function reserve() {
    const isWriting = page.mayWrite && !page.isDecided;
    const isAsked = !page.mayWrite && page.log.phase === "open";
    const isOver = !page.isLetIn || page.log.phase === "accepted"; // no button comes any more
    const what = `${kind.name} ${isWriting} ${isAsked} ${isOver} ${page.seats}`;
    if (what === reserved) return;
    reserved = what;
    const { message } = local;
    Object.assign(local, { message: "", isProbe: true });
    parts.actions.toggleAttribute("data-reads", !page.mayWrite);
    const probe = h("div", { class: "action-bar action-bar--probe", "data-reads": !page.mayWrite });
    const [question, detail] = isAsked ? [say("other_phone_writes"), say("watching_and_pen")] : ["", ""];
    const bars = isWriting ? kind.bars() : isOver ? [] : [barOf(question, detail, undoButton(), penButton("button--primary"))];
    const heights = bars.map((one) => {
      draw(parts.probe, [{ ...probe, children: one }]);
      document.dispatchEvent(new Event("has:now")); // to has.js
      return Math.ceil(parts.probe.firstChild.getBoundingClientRect().height);
    });
    draw(parts.probe);
    Object.assign(local, { message, isProbe: false });
    parts.actions.style.minBlockSize = `${Math.max(0, ...heights)}px`;
  }

  /* -- Header and whole ---------------------------------------------------------------------------------------------- */

  /** [colour of the light, what it says]; read aloud when there is trouble, and when that is over. */
  function light() {
    const waiting = sync.entries.filter((entry) => entry.state === "waiting").length;
    const parked = sync.sheet?.parked.filter((entry) => !entry.outcome).length ?? 0;
    const { link, storing, isLasting } = sync;
    const { colour, says, isTrouble } = lightOf({ link, storing, isLasting, waiting, aside: sync.entries.length - waiting + parked });
    const text = says.map(([key, count]) => say(key, { count })).join(" · ");
    if (isTrouble !== null && isTrouble !== wasTrouble) parts.announcer.textContent = text;
    wasTrouble = isTrouble ?? wasTrouble;
    return [colour, text];
  }

  const roundName = ({ is_final, round }) => (is_final ? say("final") : say("round", { number: round }));

  function header() {
    const [colour, text] = light();
    const sheet = sync.isMoving ? null : sync.sheet;
    const title = sheet ? say("table", { number: sheet.table }) : say("sheet");
    return [
      h("div", { key: sheet ? "title" : "no title", class: "phone-head__title" },
        sheet ? h("p", { class: "phone-head__where" }, roundName(sheet)) : null, h("h1", {}, title)),
      colour === "red"
        ? h("button", { key: "aside", type: "button", class: "link-state", "data-light": colour, onclick: showAside }, icon(SIGNS.red), h("span", {}, text))
        : h("p", { key: "state", class: "link-state", "data-light": colour }, icon(SIGNS[colour]), h("span", {}, text)),
      page?.isLetIn ? callButton(page.sheet.called_at) : h("span", { key: "no call", class: "phone-head__call" }),
    ];
  }

  /** To the entries that are not on the sheet. */
  function showAside() {
    const section = parts.main.querySelector("[data-state=stuck], [data-state=refused], [data-state=parked]")?.closest("section");
    if (!section) return; // what describes them has not come yet
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
    section.scrollIntoView();
  }

  /** Calls the supervisor, or takes the call back; the second of two quick taps does nothing. */
  function callButton(called_at) {
    const tap = () => {
      if (called_at && performance.now() - local.calledAt < 2 * TWICE_MS) return;
      local.calledAt = performance.now();
      if (extras) extras.taps.call();
      else openMore(called_at ? "" : "call");
    };
    const label = called_at && extras ? `${say("supervisor")}: ${say("call_back")}` : say("call");
    return h("button", { key: "call", type: "button", class: "phone-head__call", "aria-label": label, "data-called": Boolean(called_at), onclick: tap },
      icon(called_at ? "cross" : "flag"), h("span", { "aria-hidden": "true" }, say("supervisor")));
  }

  const playersLink = (tournament) =>
    h("a", { key: "players", class: "button button--primary button--wide", href: urls.players.replace("SLUG", tournament) }, say("players"));

  function closedDoor() {
    const texts = { opening: say("opening"), good: say("opening"), foreign: say("foreign_answer"), busy: say("busy_answer") };
    const text = sync.error || texts[sync.link] || say("no_network_yet");
    return [
      h("div", { key: "door", class: "notice", "data-kind": sync.link === "dead" ? "error" : "info" }, h("p", {}, text)),
      sync.tournament ? playersLink(sync.tournament) : sync.link === "dead" ? h("p", {}, say("scan")) : null,
    ];
  }

  const announce = (text) => (parts.announcer.textContent = text);
  const changed = () => {
    local.message = "";
    redraw();
  };
  const drafted = () => {
    local.message = "";
    redraw({ isDraft: true });
  };
  const tools = {
    words: { ...words, refuse }, sync, icon, button, inTurn, tally, barOf, undoButton, cancelButton, lastWords, write, refusalOf,
    complain, takeBack, takeBackLabel, changed, redraw, limits, announce, barsOf,
    onlyWatch,
  };
  const { result, objecting } = openResult(tools);
  tools.objecting = objecting;
  const { notices, history, pages } = openBeside(tools, sync, urls);
  let tray = null;

  /** Loads what describes entries that are not on the sheet, once there are any: the server has said so. */
  function askForTray() {
    const isNeeded = STUCK.has(sync.link) || sync.others.length || sync.sheet?.parked.length || sync.entries.some(({ state }) => state !== "waiting");
    if (tray || !isNeeded) return;
    import("./tray.js").then(({ openTray }) => {
      tray = tray ?? openTray(tools, sync);
      redraw();
    }, () => {}); // the network lost it; the next redraw asks again
  }

  /** Whoever only reads, or has called, is told what stands there. */
  const needsMore = () => (page ? !page.mayWrite : !sync.sheet.pen.mine) || sync.sheet.called_at;

  /** Loads what few pages need, with its words; then it is drawn, and does what the button `tapped` stands for. */
  async function openMore(tapped = "") {
    waiting = tapped || waiting; // a tap while they come is done when they are there
    if (isOpening) return;
    isOpening = true;
    try {
      const [{ openExtras }, answer] = await Promise.all([import("./extras.js"), fetch(urls.words, { signal: AbortSignal.timeout(MORE_MS) })]);
      Object.assign(texts, await answer.json());
      extras = extras ?? openExtras(tools, sync, urls);
    } catch {
      if (waiting) complain(say(`${waiting}_needs_network`));
      waiting = "";
      return;
    } finally {
      isOpening = false;
    }
    const wanted = waiting;
    waiting = "";
    await extras.taps[wanted]?.();
    redraw();
  }

  /** Buttons in place of what they load. */
  function buttonsBelow() {
    const isInPlay = page.isLetIn && page.sheet.round_state === "released";
    const names = [page.mayWrite && ["moving", "phone"], isInPlay && ["missing", "person"]].filter(Boolean);
    return names.map(([name, sign]) => h("section", { key: name, class: "block" },
      button([icon(sign), say(name)], "button--quiet button--wide", () => openMore(name))));
  }

  /** Loads the kind of this sheet: the players while nothing is decided (`rows`), the bar under the thumb while the
      sheet can be written (`bar`), the written sheet (`record`), what stands below (`below`), and the
      tallest bars (`bars`), and what a player's row in the result says (`points`, `detail`); with them, where a volunteer may write, the scribe's
      `office` and `officeBar`. `see` tells it of every change, `clear` that nothing is drafted. */
  async function open(name) {
    kind = { name };
    try {
      const officeOf = sync.sheet.ruleset.volunteer_scribe ? import("./office.js") : {};
      const [{ openKind }, { openOffice }] = await Promise.all([KINDS[name](), officeOf, learn(name), needsMore() && openMore()]);
      if (kind.name === name) kind = { name, ...openKind({ ...tools, changed: drafted }), ...openOffice?.(tools, sync) };
    } catch {
      kind = { name: "" }; // the network lost it; the next redraw asks again
      return;
    }
    redraw();
  }

  let beside = []; // what stands before the players, and on both sides of what is below them

  function see() {
    const isShown = sync.sheet && !sync.isMoving;
    askForTray();
    if (isShown && kind.name !== sync.sheet.ruleset.sheet.kind) open(sync.sheet.ruleset.sheet.kind);
    page = isShown && kind.see ? look() : null;
    document.body.toggleAttribute("data-opening", sync.link === "opening" || (!page && sync.link === "good"));
    document.title = page ? say("title", { table: page.sheet.table, round: roundName(page.sheet) }) : say("sheet");
    draw(parts.header, header());
    if (!page) return;
    kind.see(page);
    if (!extras && sync.link !== "opening" && needsMore()) openMore();
    beside = [
      [extras?.above(page), notices(page), tray?.tray(page)],
      [kind.record(), tray?.parked(page), history(page)],
      [kind.office?.(page), ...(extras ? extras.below(page) : buttonsBelow()), ...pages(page), tray?.others()],
    ];
  }

  /** isDraft: a tap has changed nothing but what the kind of sheet has drafted. All else stays as it was described last. */
  function redraw({ isDraft = false } = {}) {
    const focused = document.activeElement;
    if (!isDraft || !page) see();
    const [above, written, below] = beside;
    draw(parts.main, page ? [above, page.isDecided ? result(page, kind) : kind.rows(), written, kind.below(), below] : closedDoor());
    const actions = bar();
    parts.actions.hidden = !actions;
    if (actions) reserve();
    draw(parts.actions, actions ?? []);
    requestAnimationFrame(openHint); // which measures: once for all that has been drawn until then
    if (focused && !focused.isConnected) parts.main.focus({ preventScroll: true });
  }

  /** What does not fit is scrolled, with keys as well. */
  function openHint() {
    const hint = parts.actions.firstChild;
    if (hint?.scrollHeight > hint?.clientHeight) hint.tabIndex = 0;
    else hint?.removeAttribute("tabindex");
  }

  for (const part of [parts.header, parts.main, parts.actions]) part.replaceChildren();
  let width = 0;
  function measureAnew() {
    reserved = "";
    redraw();
  }
  new ResizeObserver(([{ contentRect }]) => { // another width, or another size of text
    if (width && page) measureAnew();
    ({ width } = contentRect);
  }).observe(parts.ruler);
  document.addEventListener("has:ready", () => page && measureAnew());
  return redraw;
}
