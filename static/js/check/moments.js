/* Moments and days, as docs/protocol.md writes them. */

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const [FIRST_YEAR, LAST_YEAR] = [1970, 2199];

/** The milliseconds of the beginning of a day in UTC; null if there is no such day. */
export function dayOf(text) {
  const [, year, month, day] = (typeof text === "string" && DAY.exec(text)) || [];
  const at = Date.UTC(year, month - 1, day);
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR) || new Date(at).toISOString().slice(0, 10) !== text) return null;
  return at;
}

/** A moment as {at, text}: microseconds since 1970, and its only right spelling, in UTC. null if there is no such moment. */
export function momentOf(text) {
  const match = typeof text === "string" && MOMENT.exec(text);
  if (!match) return null;
  const [, date, hours, minutes, seconds, fraction = "", zone] = match;
  const day = dayOf(date);
  if (day === null || hours > 23 || minutes > 59 || seconds > 59) return null;
  const micros = Number(fraction.padEnd(6, "0"));
  const at = new Date(day + (hours * 3600 + minutes * 60 + Number(seconds) - offsetOf(zone)) * 1000);
  if (at.getUTCFullYear() < FIRST_YEAR || at.getUTCFullYear() > LAST_YEAR) return null;
  const whole = at.toISOString().slice(0, 19);
  return { at: at.getTime() * 1000 + micros, text: micros ? `${whole}.${String(micros).padStart(6, "0")}Z` : `${whole}Z` };
}

function offsetOf(zone) {
  if (zone === "Z") return 0;
  const seconds = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4)) * 60;
  return zone[0] === "-" ? -seconds : seconds;
}
