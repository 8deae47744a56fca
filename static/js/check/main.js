/* The start of the page, and of its worker. */

import "../old_browsers.js";
import { serve } from "./jobs.js";
import { openPage } from "./page.js";

if (globalThis.document) openPage();
else serve(globalThis);
