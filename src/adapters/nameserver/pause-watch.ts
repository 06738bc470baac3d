import { setTimeout as sleep } from "node:timers/promises";
import { forgetAll } from "./forget-answers.ts";
import type { PowerDns } from "./power-dns.ts";

/** How often PowerDNS is asked whether it answers. */
const EVERY_MS = 1_000;
/** Gateways wait no longer than this for a flush. A PowerDNS that answers later has missed flushes. */
const LATE_MS = 2_000;

export interface PauseWatchOptions {
  /** The PowerDNS that runs now; null while none does. */
  readonly powerDns: () => Pick<PowerDns, "answers" | "purgeAll"> | null;
  readonly log: (message: string) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that goes on while the machine sleeps. */
  readonly now?: () => number;
  readonly everyMs?: number;
  readonly lateMs?: number;
}

/**
 * Has PowerDNS forget all answers after each pause of it or of the whole machine: it may have missed flushes, whose jobs have no attempts left.
 *
 * What this is for. While gateways do not reach a nameserver that goes on, its caches end by themselves a minute after the change. Time alone does not help a
 * PowerDNS that was stopped: a question that was under way may hold rows from before the pause, which would be in its caches for another minute.
 * A PowerDNS that was started again has no old answers.
 *
 * @returns a promise that resolves when the watch has ended
 */
export async function watchPauses(options: PauseWatchOptions): Promise<void> {
  const { powerDns, log, signal, now = Date.now, everyMs = EVERY_MS, lateMs = LATE_MS } = options;
  let last = now();
  let wasAway = false;
  /** The one that has answered last: one that starts is not away. */
  let known: unknown = null;
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => {}); // the signal ends the wait
    if (signal.aborted) return;
    const running = powerDns();
    const isHere = running !== null && (await running.answers());
    const passed = now() - last;
    last = now();
    if (running === null) wasAway = false;
    else if (isHere ? passed > everyMs + lateMs : running === known) wasAway = true;
    if (isHere) known = running;
    if (!isHere || !wasAway) continue;
    try {
      await forgetAll(running);
      wasAway = false;
      log("The nameserver was away for a while and has forgotten all answers.");
    } catch {
      // It is away again, and forgets when it is back.
    }
  }
}
