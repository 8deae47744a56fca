/* Questions to the server, and what became of them. */

const TIMEOUT_MS = 10_000;
const KEEP_TRYING = new Set([408, 409, 425, 429]);

export class Server {
  /** edition: of the program, as an answer has named it last. */
  constructor() {
    Object.assign(this, { edition: "", giveUp: null });
  }

  /** {status, said, wait}: status 0 without an answer; said is {} where it is not JSON as our server gives it; wait is
      what the server asks for before the next try, in milliseconds. sheet: the key of the one that this phone is at. */
  async ask(url, body, sheet) {
    this.giveUp = new AbortController();
    const clock = setTimeout(() => this.giveUp.abort(), TIMEOUT_MS);
    try {
      const answer = await fetch(url, {
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? {} : headersOf(sheet),
        body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store",
        redirect: "manual",
        signal: this.giveUp.signal,
      });
      const text = await answer.text();
      const wait = 1_000 * Number(answer.headers.get("Retry-After")) || 0;
      this.edition = answer.headers.get("Sheet-Page") ?? this.edition;
      return { status: answer.status || 302, said: readable(text), wait };
    } catch {
      return { status: 0, said: {}, wait: 0 };
    } finally {
      clearTimeout(clock);
    }
  }
}

function headersOf(sheet) {
  const json = { "Content-Type": "application/json" };
  return sheet ? { ...json, "Sheet-Key": sheet } : json;
}

/** What an answer that was not hoped for says about the link. `sentence`: the server's own, "" if it is not ours. */
export function meaning(status, sentence) {
  if (status === 0) return "offline";
  if (status >= 500 || KEEP_TRYING.has(status)) return "busy";
  if (status < 400) return "foreign";
  return status === 401 && sentence ? "dead" : "refused";
}

/** The object that an answer holds; {} if it is another page's. */
function readable(text) {
  try {
    const said = JSON.parse(text);
    return said !== null && typeof said === "object" ? said : {};
  } catch {
    return {};
  }
}
