import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A part of a benchmark as a separate process, that is asked over IPC. */
export interface Child {
  readonly pid: number;
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

interface Envelope {
  readonly number: number;
  readonly content: unknown;
}

/** Starts a file of this folder that calls `answer`, in a folder. */
export function startChild(file: string, cwd = process.cwd()): Child {
  const child: ChildProcess = fork(path.join(import.meta.dirname, file), { cwd, execArgv: [] });
  const waiting = new Map<number, (content: unknown) => void>();
  let asked = 0;
  child.on("message", ({ number, content }: Envelope) => {
    waiting.get(number)?.(content);
    waiting.delete(number);
  });
  return {
    pid: child.pid ?? 0,
    ask: <Answer>(content: object) => {
      const number = ++asked;
      return new Promise<Answer>((resolve, reject) => {
        child.once("exit", (code) => reject(new Error(`${file} ended with ${code}`)));
        child.setMaxListeners(0);
        waiting.set(number, (answer) => resolve(answer as Answer));
        child.send({ number, content } satisfies Envelope);
      });
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/** In the process that was started: answers every question until the other side has gone. */
export function answer<Question>(answerTo: (question: Question) => Promise<unknown> | unknown): void {
  process.on("message", ({ number, content }: Envelope) => {
    Promise.resolve(answerTo(content as Question)).then(
      (reply) => process.send?.({ number, content: reply ?? null } satisfies Envelope),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}

/** Of all processes of one machine the same clock, in milliseconds. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
