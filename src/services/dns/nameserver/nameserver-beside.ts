import { setTimeout as sleep } from "node:timers/promises";
import type { Companion, CompanionContext } from "../../started-service.ts";
import { dnsMetrics } from "../metrics.ts";
import {
  findNameserver,
  INSTALL_LINE,
  NAMESERVER_LOGIN,
  type RunningNameserver,
  runNameserver,
} from "./run-nameserver.ts";

/** How soon an install is noticed. */
const LOOK_MS = 2_000;
/** How soon a start that failed is tried again. */
const RETRY_MS = 10_000;
const MEMBER = "nameserver";

/** The nameserver beside `npm start`: runs it now if it is installed, or as soon as it is. */
export async function nameserverBeside(context: CompanionContext): Promise<Companion> {
  const { config, log, loginUrl, metrics, tellDemo } = context;
  const stopping = new AbortController();
  /** Why it does not run. */
  let missing = INSTALL_LINE;
  let said = "";

  const attempt = async (): Promise<RunningNameserver | null> => {
    try {
      const program = await findNameserver(config);
      missing = INSTALL_LINE;
      if (program === null || stopping.signal.aborted) return null;
      const started = await runNameserver(
        config,
        program,
        loginUrl?.(NAMESERVER_LOGIN) ?? null,
        (line) => log.info(line),
        metrics.of(dnsMetrics),
      );
      tellDemo(MEMBER, started.address);
      return started;
    } catch (error) {
      missing = error instanceof Error ? error.message : String(error);
      // Each reason is said once, not at every attempt.
      if (missing !== said) log.warn({ reason: missing }, "the nameserver does not run");
      said = missing;
      return null;
    }
  };
  const untilItRuns = async (): Promise<RunningNameserver | null> => {
    for (;;) {
      const wait = missing === INSTALL_LINE ? LOOK_MS : RETRY_MS;
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {}); // stop() ends the wait
      if (stopping.signal.aborted) return null;
      const started = await attempt();
      if (started === null) continue;
      log.warn({ address: started.address }, "the nameserver runs");
      return started;
    }
  };

  const first = await attempt();
  if (first === null) tellDemo(MEMBER, null);
  const coming = first === null ? untilItRuns() : Promise.resolve(first);
  return {
    line: [MEMBER, lineOf(first, missing)],
    stop: async () => {
      stopping.abort();
      await (await coming)?.stop();
    },
  };
}

function lineOf(running: RunningNameserver | null, missing: string): string {
  return running === null ? (missing.split("\n")[0] ?? "") : `dns://${running.address}`;
}
