/* The page of the scribe: what is described here from the state of `sync` is drawn after every change.

   A deal is written down by tapping who lost, then one button; or who ended it by Schnauz or Feuer. Tables that do
   not track deals tap strokes, and at the end the names in the order of their ranks. */

import { openBeside } from "./beside.js";
import { draw, h } from "./dom.js";
import { openMoving } from "./moving.js";
import { append, emptySheet, replay } from "./replay.js";
import { openResult } from "./result.js";
import { openTray } from "./tray.js";
import { openReader } from "./words.js";

const TWICE_MS = 500;
const LINK_WORDS = {
  opening: "opening", offline: "no_network", foreign: "foreign", busy: "busy", refused: "not_taken", dead: "not_let_in",
  elsewhere: "not_let_in",
};
const SIGNS = { sent: "check", waiting: "next", offline: "clock", refused: "warning" };
const STUCK = new Set(["dead", "refused", "elsewhere"]);

/** `parts`: the elements header, main, actions, announcer. Answers with the function that draws. */
export function openView(parts, sync, words, { icons, urls }) {
  const { say, refuse, list } = words;
  const local = { losers: new Set(), finisher: null, ending: null, ranking: null, message: "", isWriting: false };
  const taps = [];
  let last = { what: "", at: 0 };
  let replayed = { of: null, log: null };
  let page = null;
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
    const isNamesake = (seat) => sheet.seats.some((other) => other !== seat && other.name === seat.name);
    const names = new Map(sheet.seats.map((seat) =>
      [seat.seat_number, isNamesake(seat) ? `${seat.name} (${say("number", { number: seat.start_number }).replace(" ", "\u00a0")})` : seat.name]));
    const nameOf = (seat) => names.get(seat) ?? String(seat);
    const isLetIn = sync.link !== "dead" && sync.link !== "elsewhere" && sheet.round_state === "released";
    const mayWrite = isLetIn && sheet.pen.mine && log.phase === "open";
    return {
      sheet, seats, log, nameOf, isWaiting, isLetIn, mayWrite,
      names: (some) => list(some.map(nameOf)),
      read: openReader(words, nameOf),
      rules: sheet.ruleset.sheet,
      mode: modeOf(sheet, log),
      isDecided: log.is_complete || log.phase !== "open",
    };
  }

  function logOf(sheet, seats) {
    try {
      return replay(sheet.ruleset, seats, sheet.entries);
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      local.message = say("page_too_old");
      return emptySheet(sheet.ruleset, seats);
    }
  }

  /** Deals or strokes: as this phone has chosen, else as the sheet was begun. */
  function modeOf(sheet, log) {
    const kinds = log.facts.map((fact) => fact.kind);
    return sync.mode ?? (kinds.includes("deal") || !kinds.includes("stroke") ? "deals" : "strokes");
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
      return null;
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      return refusal;
    }
  }

  function write(kind, data, { once = "" } = {}) {
    const now = performance.now();
    if (once && once === last.what && now - last.at < TWICE_MS) return;
    last = { what: once, at: now, isFact: kind === "deal" || kind === "ranked" };
    const refusal = refusalOf(kind, data);
    if (refusal) {
      complain(refuse(refusal));
      return;
    }
    clear();
    const deal_number = kind === "deal" ? page.log.state.deals + 1 : null;
    const entry = kind === "voided" ? page.log.entries.find((one) => one.id === data.entry) : null;
    const text = page.read({ kind, data }, { deal_number, rules: page.rules });
    const said = entry ? say("taken_back", { what: page.read(entry, { rules: page.rules }) }) : text;
    navigator.vibrate?.(12);
    local.isWriting = true;
    sync.add(kind, data).finally(() => {
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
    Object.assign(local, { losers: new Set(), finisher: null, ending: null, ranking: null, message: "" });
  }

  function takeBack(entry_id) {
    write("voided", { entry: entry_id }, { once: "voided" });
  }

  function tapName(seat) {
    local.message = "";
    if (seat === local.finisher) local.message = refuse({ code: "finisher_cannot_lose", params: { seat } });
    else if (!local.losers.delete(seat)) local.losers.add(seat);
    redraw();
  }

  /** Who ended the deal: with all others losing, or only one other left, nothing is left to ask. */
  function tapEnding(seat, ending) {
    const others = page.log.state.still_in.filter((other) => other !== seat);
    if (page.rules.all_others_lose.includes(ending) || others.length === 1) {
      write("deal", { losers: others, ended_by: ending, finisher: seat }, { once: `${ending} ${seat}` });
      return;
    }
    const isOff = local.finisher === seat && local.ending === ending;
    local.losers.delete(seat);
    Object.assign(local, { finisher: isOff ? null : seat, ending: isOff ? null : ending, message: "" });
    redraw();
  }

  function draftedDeal() {
    const losers = [...local.losers].sort((a, b) => a - b);
    return { losers, ended_by: local.ending ?? "knock", finisher: local.finisher };
  }

  /** The second tap of two finds nothing drafted. */
  function writeDeal() {
    if (local.losers.size) write("deal", draftedDeal());
  }

  /** A tap gives the next rank; a tap on who has one takes it and all later ones back. The last name follows. */
  function tapRank(seat) {
    const { order, shared } = local.ranking;
    const place = order.indexOf(seat);
    if (place >= 0) order.splice(place).forEach((gone) => shared.delete(gone));
    else order.push(seat);
    const rest = page.seats.filter((other) => !order.includes(other));
    if (place < 0 && rest.length === 1) order.push(rest[0]);
    redraw();
  }

  function tapShared(seat) {
    const { shared } = local.ranking;
    if (!shared.delete(seat)) shared.add(seat);
    redraw();
  }

  function tappedRanks() {
    const ranks = {};
    local.ranking.order.forEach((seat, index, order) => {
      ranks[seat] = local.ranking.shared.has(seat) ? ranks[order[index - 1]] : index + 1;
    });
    return ranks;
  }

  /* -- Rows of players ------------------------------------------------------------------------------------------------ */

  function tally(strokes) {
    if (!strokes) return null;
    const label = say("strokes", { count: strokes });
    return h("span", { class: "tally", role: "img", "aria-label": label }, Array.from({ length: strokes }, () => h("i")));
  }

  function coins(lives) {
    const label = say("lives", { count: lives, of: page.rules.lives });
    const all = Array.from({ length: page.rules.lives }, (_, index) => h("i", { class: index < lives ? "" : "spent" }));
    return h("span", { class: "coins", "data-lives": lives, role: "img", "aria-label": label }, all);
  }

  function fateOf(seat) {
    const { state } = page.log;
    return seat in state.drowned_in ? "drowned" : state.swimming.includes(seat) ? "swimming" : "in";
  }

  function life(seat) {
    const fate = fateOf(seat);
    const { strokes, rank, points } = page.log.results.find((score) => score.seat_number === seat);
    const drowned = () => [icon("cross"), say("drowned"), " ", say("rank_points", { rank, count: points })];
    return h("span", { class: "seat-row__life" },
      fate === "drowned" ? h("span", { class: "fate", "data-fate": fate }, drowned()) : null,
      fate === "swimming" && !local.ranking ? h("span", { class: "fate", "data-fate": fate }, icon("wave"), say("swims")) : null,
      fate !== "drowned" && !local.ranking && (page.mode === "deals" || page.log.state.deals) ? coins(page.log.state.lives_left[seat]) : null,
      tally(strokes));
  }

  function nameCell(seat, tap, props = {}, mark = String(seat)) {
    const pressed = tap ? { type: "button", onclick: inTurn(tap) } : {};
    return h(tap ? "button" : "div", { class: "seat-row__name", ...pressed, ...props },
      h("span", { class: "seat-row__seat" }, mark),
      h("span", { class: "seat-row__who" }, page.nameOf(seat)),
      life(seat));
  }

  function strokeButton(seat, mark, tap, pressed) {
    return h("button", {
      type: "button", class: mark === "feuer" ? "stroke stroke--fire" : "stroke", onclick: inTurn(tap), "aria-pressed": pressed,
      "aria-label": say("mark_for", { mark: say(mark), name: page.nameOf(seat) }),
    }, say(mark));
  }

  function dealRow(seat) {
    if (fateOf(seat) === "drowned") return [nameCell(seat, null)];
    const isLoser = local.losers.has(seat);
    const marks = page.rules.marks.filter((mark) => page.rules.endings.includes(mark));
    return [
      nameCell(seat, () => tapName(seat), { "aria-pressed": String(isLoser) }),
      ...marks.map((mark) => {
        const isPressed = local.finisher === seat && local.ending === mark;
        return strokeButton(seat, mark, () => tapEnding(seat, mark), String(isPressed));
      }),
    ];
  }

  function strokeRow(seat) {
    const add = (mark) => () => write("stroke", { seat_number: seat, mark });
    return [nameCell(seat, null), ...page.rules.marks.map((mark) => strokeButton(seat, mark, add(mark), null))];
  }

  function rankRow(seat) {
    const { order, shared } = local.ranking;
    const place = order.indexOf(seat);
    const name = nameCell(seat, () => tapRank(seat), {
      "aria-pressed": String(place >= 0), "data-ranked": String(place >= 0),
    }, place < 0 ? "–" : `${tappedRanks()[seat]}.`);
    if (place < 2) return [name];
    const above = page.nameOf(order[place - 1]);
    return [name, h("button", {
      type: "button", class: "stroke stroke--tie", onclick: inTurn(() => tapShared(seat)), "aria-pressed": String(shared.has(seat)),
      "aria-label": say("tie_with_name", { name: above }),
    }, say("tie"))];
  }

  function rows() {
    const row = !page.mayWrite ? (seat) => [nameCell(seat, null)]
      : local.ranking ? rankRow : page.mode === "deals" ? dealRow : strokeRow;
    const shown = local.ranking
      ? [...local.ranking.order, ...page.seats.filter((seat) => !local.ranking.order.includes(seat))] : page.seats;
    return h("ul", { key: "rows", class: "seat-rows" }, shown.map((seat) => {
      const cells = row(seat);
      const state = local.ranking ? "in" : fateOf(seat);
      return h("li", { key: `seat ${seat}`, class: "seat-row", "data-fate": state, "data-cells": cells.length }, cells);
    }));
  }

  /* -- The bar under the thumb ------------------------------------------------------------------------------------- */

  function bar() {
    if (!page) return null;
    if (!page.mayWrite) return watchingBar();
    if (page.isDecided) return decidedBar();
    if (local.ranking) return rankingBar();
    return page.mode === "deals" ? dealBar() : strokesBar();
  }

  function barOf(question, detail, ...buttons) {
    const hint = local.message
      ? h("p", { key: "message", class: "action-bar__hint action-bar__hint--refused", role: "alert" }, local.message)
      : h("p", { key: "hint", class: "action-bar__hint" }, h("strong", {}, question), detail ? h("span", {}, detail) : null);
    return [hint, ...buttons];
  }

  function undoButton() {
    const fact = page.log.facts.at(-1);
    if (!fact) return null;
    const label = say("take_back_this", { what: page.read(fact, { ...fact, rules: page.rules }) });
    const props = { key: "undo", "aria-label": label };
    return button([icon("undo"), say("take_back")], "action-bar__back", () => takeBack(fact.entry_id), props);
  }

  function cancelButton() {
    return button([icon("cross"), say("cancel")], "action-bar__back", () => { clear(); redraw(); }, { key: "cancel" });
  }

  function lastWords() {
    const fact = page.log.facts.at(-1);
    return fact ? say("last", { what: page.read(fact, { ...fact, rules: page.rules }) }) : "";
  }

  function dealBar() {
    const deal = draftedDeal();
    const isDrafted = deal.losers.length > 0 || deal.finisher !== null;
    const refusal = deal.losers.length ? refusalOf("deal", deal) : null;
    const handschnauz = deal.ended_by === "schnauz" && !deal.losers.length && page.rules.endings.includes("handschnauz");
    const record = deal.finisher === null ? say("record_knock") : say(`record_${deal.ended_by}`);
    return barOf(
      dealQuestion(deal), refusal ? refuse(refusal) : isDrafted ? "" : lastWords(),
      handschnauz ? button(say("record_handschnauz"), "button--wide",
        () => tapEnding(deal.finisher, "handschnauz"), { key: "handschnauz" }) : null,
      isDrafted ? cancelButton() : undoButton(),
      button(record, "button--primary action-bar__go", writeDeal, {
        key: "go", disabled: !deal.losers.length || Boolean(refusal),
      }));
  }

  function dealQuestion({ losers, ended_by, finisher }) {
    const number = page.log.state.deals + 1;
    if (!losers.length) {
      return finisher === null ? say("who_lost", { number }) : say(`who_lost_${ended_by}`, { name: page.nameOf(finisher) });
    }
    const drowning = losers.filter((seat) => page.log.state.lives_left[seat] === 0);
    const paying = losers.filter((seat) => !drowning.includes(seat));
    return [
      finisher === null ? "" : say(`ended_${ended_by}`, { name: page.nameOf(finisher) }),
      paying.length ? say("gives_life", { names: page.names(paying), count: paying.length }) : "",
      drowning.length ? say("goes_under", { names: page.names(drowning), count: drowning.length }) : "",
    ].filter(Boolean).join(" ");
  }

  function strokesBar() {
    const begin = () => { clear(); local.ranking = { order: [], shared: new Set() }; redraw(); };
    return barOf(say("strokes_hint"), lastWords(), undoButton(),
      button(say("enter_ranks"), "button--primary action-bar__go", begin, { key: "ranks" }));
  }

  function rankingBar() {
    const { order } = local.ranking;
    const isFull = order.length === page.seats.length;
    const question = isFull ? say("ranks_full") : order.length ? say("who_next", { rank: order.length + 1 }) : say("who_won");
    const record = () => local.ranking && write("ranked", { ranks: tappedRanks() });
    return barOf(question, isFull ? say("tie_hint") : say("rank_hint"), cancelButton(),
      button(say("record_ranks"), "button--primary action-bar__go", record, { key: "go", disabled: !isFull }));
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

  function watchingBar() {
    const { sheet, log } = page;
    if (!page.isLetIn) return barOf(sheet.round_state === "released" ? say("not_let_in") : say("round_closed"), "");
    if (log.phase === "accepted") return barOf(say("is_accepted"), say("nothing_to_do"));
    if (log.phase === "submitted" && page.isWaiting.size) return barOf(say("is_submitted_here"), say("is_submitted_here_hint"));
    if (log.phase === "submitted") return barOf(say("is_submitted"), say("is_submitted_hint"));
    const hint = sheet.pen.taken ? say("other_phone_writes") : say("nobody_writes");
    return barOf(hint, sheet.pen.taken ? say("watching_and_pen") : say("watching"),
      button([icon("pen"), say("take_pen")], "button--primary action-bar__go", takePen, { key: "pen" }));
  }

  /* -- Header and whole ---------------------------------------------------------------------------------------------- */

  /** How it stands between phone and server, in words that are true: [state, text]. */
  function linkState() {
    const waiting = sync.entries.filter((entry) => entry.state === "waiting");
    const aside = sync.entries.length - waiting.length;
    const count = waiting.length;
    const what = waiting.every((entry) => entry.kind === "stroke") ? "strokes" : "entries";
    const unsent = sync.isLasting ? say(`unsent_${what}`, { count }) : say("unsent_not_lasting", { count });
    if (sync.storing) return ["waiting", say("sending_entries", { count: count + sync.storing })];
    if (count && STUCK.has(sync.link)) return ["refused", say("status_stuck", { count: count + aside })];
    if (aside) return ["refused", [say("status_refused", { count: aside }), count ? unsent : ""].filter(Boolean).join(" ")];
    if (count && sync.link === "good") return ["waiting", say(`sending_${what}`, { count })];
    if (count) return ["offline", unsent];
    if (sync.link === "good") return ["sent", say("all_sent")];
    return ["offline", say(LINK_WORDS[sync.link])];
  }

  /** Read aloud: when entries cannot be sent or are refused, and when that is over. */
  function announceLink(state, text) {
    const isTrouble = state === "offline" || state === "refused";
    if (state !== "waiting" && isTrouble !== wasTrouble) parts.announcer.textContent = text;
    if (state !== "waiting") wasTrouble = isTrouble;
  }

  function header() {
    const [state, text] = linkState();
    announceLink(state, text);
    const sheet = sync.isMoving ? null : sync.sheet;
    const title = sheet ? say("table", { number: sheet.table }) : say("sheet");
    return [
      h("div", { key: "title", class: "phone-head__title" },
        sheet ? h("p", { class: "phone-head__where" }, say("round", { number: sheet.round })) : null, h("h1", {}, title)),
      h("p", { key: "state", class: "link-state", "data-state": state }, icon(SIGNS[state]), h("span", {}, text)),
    ];
  }

  function closedDoor() {
    const texts = { opening: say("opening"), foreign: say("foreign_answer"), busy: say("busy_answer") };
    const text = sync.error || texts[sync.link] || say("no_network_yet");
    return [
      h("div", { key: "door", class: "notice", "data-kind": sync.link === "dead" ? "error" : "info" }, h("p", {}, text)),
      sync.link === "dead" ? h("p", {}, say("scan")) : null,
    ];
  }

  const tools = { words, icon, button, inTurn, tally, write, refusalOf, takeBack, clear, redraw };
  const result = openResult(tools);
  const { notices, history, modes } = openBeside(tools, sync, urls);
  const { tray, parked, others } = openTray(tools, sync);
  const { moving } = openMoving(tools, sync);

  function redraw() {
    const focused = document.activeElement;
    page = sync.sheet && !sync.isMoving ? look() : null;
    if (!page?.mayWrite || page.isDecided) local.ranking = null;
    document.title = page ? say("title", { table: page.sheet.table, round: page.sheet.round }) : say("sheet");
    draw(parts.header, header());
    draw(parts.main, page
      ? [notices(page), tray(page), page.isDecided ? result(page) : rows(), parked(page), history(page),
        local.ranking ? null : [modes(page), moving(page)], others()]
      : closedDoor());
    const actions = bar();
    parts.actions.hidden = !actions;
    draw(parts.actions, actions ?? []);
    if (focused && !focused.isConnected) parts.main.focus({ preventScroll: true });
  }

  for (const part of [parts.header, parts.main, parts.actions]) part.replaceChildren();
  return redraw;
}
