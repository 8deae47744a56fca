/* What stands on the sheet, with what is not sent yet, and what this phone may do with it. */

import { append, confirmedAnew, emptySheet, replay } from "../replay.js";
import { openReader } from "../words.js";

export class Reading {
  /** `tooOld` is called when a sheet holds what this page does not know. */
  constructor(sync, words, tooOld) {
    Object.assign(this, { sync, words, tooOld, replayed: { of: null, log: null } });
  }

  /** The `page` that everything is described from. */
  look() {
    const { sheet } = this.sync;
    const seats = sheet.seats.map((seat) => seat.seat_number);
    const rules = sheet.ruleset.sheet;
    const { log, isWaiting } = this.withWaiting(this.stored(sheet, seats));
    const names = this.names(sheet.seats);
    const nameOf = (seat) => names.get(seat) ?? String(seat);
    const callName = (seat) => calledOf(seat, seats, nameOf);
    return {
      sheet, seats, rules, log, isWaiting, nameOf, callName, ...this.rights(sheet, log),
      names: (some, called = nameOf) => this.words.list(some.map((seat) => called(seat))),
      read: openReader(this.words, nameOf, rules),
      isDecided: log.is_complete || log.phase !== "open",
    };
  }

  /** The log of what the server has; counted once for each of its answers. */
  stored(sheet, seats) {
    if (this.replayed.of !== sheet) this.replayed = { of: sheet, log: this.replay(sheet, seats) };
    return this.replayed.log;
  }

  replay(sheet, seats) {
    const ruleset = { ...sheet.ruleset, hand_values: sheet.hand_values };
    try {
      return replay(ruleset, seats, sheet.entries);
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      this.tooOld();
      return emptySheet(ruleset, seats);
    }
  }

  withWaiting(stored) {
    let log = stored;
    const isWaiting = new Set();
    for (const entry of this.sync.waiting()) {
      try {
        log = append(log, { ...entry, by: "scribe" });
        isWaiting.add(entry.id);
      } catch (refusal) {
        if (!refusal.code) throw refusal; // the server will say why
      }
    }
    return { log: confirmedAnew(log), isWaiting };
  }

  /** Names by seat; those of namesakes with their numbers. */
  names(seats) {
    const isNamesake = (seat) => seats.some((other) => other !== seat && other.name === seat.name);
    const number = (seat) => this.words.say("number", { number: seat.start_number }).replace(" ", "\u00a0");
    return new Map(seats.map((seat) => [seat.seat_number, isNamesake(seat) ? `${seat.name} (${number(seat)})` : seat.name]));
  }

  rights(sheet, log) {
    const { link } = this.sync;
    const isLetIn = link !== "dead" && link !== "elsewhere" && sheet.round_state === "released";
    const waitsForSign = Boolean(sheet.waits_for_sign) && link === "good"; // without a network nobody knows
    return { isLetIn, waitsForSign, mayWrite: isLetIn && sheet.pen.mine && log.phase === "open" && !waitsForSign };
  }
}

/** The first name; with the last word of the name where it is another's, too. */
function calledOf(seat, seats, nameOf) {
  const [first, ...others] = nameOf(seat).split(" ");
  const isShared = seats.some((other) => other !== seat && nameOf(other).split(" ")[0] === first);
  return isShared ? `${first} ${others.slice(-1)}` : first;
}
