/* The start of the page, and of its worker. */

import { serve } from "./jobs.js";
import { openPage } from "./page.js";

if (globalThis.document) openPage();
else serve(globalThis);
