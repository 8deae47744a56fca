/* What few pages need: it comes with its words when a button asks for it, or when it is there to be seen. */

import { openAfter } from "./after.js";
import { openCall } from "./call.js";
import { openMissing } from "./missing.js";
import { openMoving } from "./moving.js";
import { openOwn } from "./own.js";

/** Answers with the functions that describe these parts of a `page` (see view.js), and what a tap on a button does. */
export function openExtras(tools, sync, urls) {
  const { after } = openAfter(tools, urls);
  const { own } = openOwn(tools, sync, urls);
  const { called, taps: { call: toCall } } = openCall(tools, sync);
  const { missing, taps: { missing: toMiss } } = openMissing(tools, sync);
  const { moving, taps: { moving: toMove } } = openMoving(tools, sync);
  return {
    above: (page) => [called(page), after(page), own(page)],
    below: (page) => [moving(page), missing(page)],
    taps: { call: toCall, missing: toMiss, moving: toMove },
  };
}
