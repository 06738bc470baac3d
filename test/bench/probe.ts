import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { ProbeReading } from "./probe-preload.ts";

/** What a process of ours says of itself when asked; the event loop's figures begin anew with each question. */
export type Probe = () => Promise<ProbeReading>;

/** Options of Node for a process that is to be asked; it needs an IPC channel. */
export const probeOptions = ["--expose-gc", "--import", path.join(import.meta.dirname, "probe-preload.ts")];

export function probeOf(child: ChildProcess): Probe {
  return async () => {
    const answer = once(child, "message") as Promise<[ProbeReading]>;
    child.send("probe");
    const [reading] = await answer;
    return reading;
  };
}
