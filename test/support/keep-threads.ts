import path from "node:path";
import type { Plugin } from "vite";
import { keepThread, takeThread } from "./kept-threads.ts";

/** What owns threads, and how it starts and ends one. */
const OWNER = path.resolve(import.meta.dirname, "../../src/adapters/threads/work-thread.ts");
const START = "new Worker(this.#program)";
const END = "await this.#workshop?.thread.terminate();";
/** The functions that it calls instead stand there. */
const KEPT = path.join(import.meta.dirname, "kept-threads.ts");

/** Has whoever renders PDFs take a thread that nobody uses any more. */
export function keptThreads(): Plugin {
  return {
    name: "kept-threads",
    enforce: "pre",
    transform(code, id) {
      if (id !== OWNER) return null;
      if (!code.includes(START) || !code.includes(END)) throw new Error("say here how threads start and end");
      return `import { ${keepThread.name}, ${takeThread.name} } from ${JSON.stringify(KEPT)};
${code
  .replace(START, `${takeThread.name}(this.#program)`)
  .replace(
    END,
    `if (this.#workshop && ${keepThread.name}(this.#program, this.#workshop)) this.#workshop = null; else ${END}`,
  )}`;
    },
  };
}
