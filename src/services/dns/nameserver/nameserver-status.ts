import { FLUSH_DEADLINE_MS } from "../../../adapters/nameserver/control-client.ts";
import { type ControlAccess, readControl } from "../../../adapters/nameserver/control-request.ts";
import { controlState } from "../../../adapters/nameserver/control-server.ts";
import { errorCode } from "../../../adapters/programs/program-error.ts";
import type { Config } from "../../../config/config.ts";
import { controlAccess } from "./control-access.ts";
import { findNameserver } from "./run-nameserver.ts";

/** What `selo nameserver status` shows. */
export interface NameserverStatus {
  /** The program on this machine; null if it has none. */
  readonly program: { readonly program: string; readonly version: string } | null;
  /** Every nameserver that gateways tell of changes, in the order of NAMESERVER_CONTROL_URLS. */
  readonly control: readonly ControlStatus[];
}

/** One nameserver, as this machine finds it. */
interface ControlStatus {
  /** The address of its control. */
  readonly url: string;
  /** `late`: it did not answer within the time that a change waits. `refused`: it does not take our key. `unavailable`: nobody answers there, or its PowerDNS does not. */
  readonly state: "ok" | "late" | "refused" | "unavailable";
  /** For people: why it is not ok; null if it is. */
  readonly reason: string | null;
  /** How long the answer took, in milliseconds; null without an answer. */
  readonly answer_ms: number | null;
  /** The version of its PowerDNS. This and what follows is null if it is not ok. */
  readonly version: string | null;
  /** How many zones it serves. */
  readonly zones: number | null;
  /** For how many seconds its PowerDNS has run. */
  readonly uptime_seconds: number | null;
  /** When a gateway or worker last had it forget everything, after it was late; ISO 8601. Null: never since it started. */
  readonly purged_at: string | null;
}

/** Inspects the nameservers of a deployment; starts and changes nothing. */
export async function nameserverStatus(config: Config): Promise<NameserverStatus> {
  const found = await findNameserver(config);
  const access = controlAccess(config);
  const control = await Promise.all(access?.urls.map((url) => controlStatus(access, url)) ?? []);
  return { program: found === null ? null : { program: found.program, version: found.version }, control };
}

async function controlStatus(access: ControlAccess, url: string): Promise<ControlStatus> {
  const unknown = { version: null, zones: null, uptime_seconds: null, purged_at: null };
  const failed = (state: ControlStatus["state"], reason: string, answer_ms: number | null) => ({
    ...{ url, state, reason, answer_ms },
    ...unknown,
  });
  const signal = AbortSignal.timeout(FLUSH_DEADLINE_MS);
  const began = performance.now();
  try {
    const { status, text } = await readControl(access, url, { method: "GET", path: "/state", signal });
    const answerMs = Math.round(performance.now() - began);
    if (status === 401) return failed("refused", "it does not take the key (NAMESERVER_CONTROL_KEY)", answerMs);
    if (status === 503) return failed("unavailable", "its PowerDNS does not answer", answerMs);
    const { data } = controlState.safeParse(status === 200 ? JSON.parse(text) : null);
    if (data === undefined) return failed("unavailable", "what answers there is no nameserver of Selo", answerMs);
    return { ...{ url, state: "ok", reason: null, answer_ms: answerMs }, ...data };
  } catch (error) {
    if (signal.aborted) return failed("late", `no answer within ${FLUSH_DEADLINE_MS / 1_000} s`, null);
    return failed("unavailable", `it cannot be reached (${errorCode(error) ?? String(error)})`, null);
  }
}
