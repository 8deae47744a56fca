/* The work of the page: in a worker, or where there is none, in the page with a rest after each step. */

import { comparing } from "./compare.js";
import { checking } from "./record.js";

const JOBS = { check: checking, compare: comparing };

/** Does jobs that are sent to a worker. */
export function serve(scope) {
  scope.addEventListener("message", ({ data: { job, texts } }) => {
    const steps = stepsOf(job, texts);
    for (let step = steps.next(); !step.done; step = steps.next()) scope.postMessage({ progress: step.value });
  });

  function* stepsOf(job, texts) {
    try {
      scope.postMessage({ result: yield* JOBS[job](...texts) });
    } catch (error) {
      scope.postMessage({ wrong: wrongOf(error) });
    }
  }
}

/** What went wrong, as plain data: a contradiction, or the failure of the check itself. */
function wrongOf(error) {
  return error.path ? { ...error } : { failure: String(error), name: error.name, stack: error.stack };
}

/** Does a job, and returns {result} or {wrong}; {} once the signal stops it. source: the address of the worker. */
export async function run(source, job, texts, { onProgress, signal }) {
  return (await runInWorker(source, job, texts, { onProgress, signal })) ?? runHere(job, texts, { onProgress, signal });
}

/** Returns null if the browser starts no worker from this source. */
function runInWorker(source, job, texts, { onProgress, signal }) {
  return new Promise((resolve) => {
    let worker;
    try {
      worker = new Worker(source, source.startsWith("blob:") ? {} : { type: "module" });
    } catch {
      resolve(null);
      return;
    }
    const end = (answer) => {
      worker.terminate();
      resolve(answer);
    };
    signal.addEventListener("abort", () => end({}));
    worker.addEventListener("error", () => end(null));
    worker.addEventListener("message", ({ data }) => ("progress" in data ? onProgress(data.progress) : end(data)));
    worker.postMessage({ job, texts });
  });
}

async function runHere(job, texts, { onProgress, signal }) {
  try {
    const steps = JOBS[job](...texts);
    while (!signal.aborted) {
      const { done, value } = steps.next();
      if (done) return { result: value };
      onProgress(value);
      await new Promise((resume) => setTimeout(resume));
    }
    return {};
  } catch (error) {
    return { wrong: wrongOf(error) };
  }
}
