// Counts down the clock of the round on the players' page.

import { countDown } from "./round_clock.js";

const tick = () => countDown(document);

tick();
setInterval(tick, 1000);
document.addEventListener("live:after", tick);
