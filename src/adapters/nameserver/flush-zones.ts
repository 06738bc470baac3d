import { type ControlAccess, requestControl } from "./control-request.ts";

/** How many of the nameservers forgot the zones. */
export interface Flushed {
  readonly confirmed: number;
  readonly of: number;
}

/** A caller waits for this after a change. */
export const FLUSH_DEADLINE_MS = 2_000;

/**
 * Has all nameservers forget the old answers, keys and settings of zones. Rejects never: a nameserver that does not confirm before the signal is not counted, and its caches
 * end after a minute.
 * @param signal ends the wait; a deadline of two seconds by default
 */
export function flushZones(access: ControlAccess, zones: readonly string[], signal = deadline()): Promise<Flushed> {
  return tell("/flush", access, JSON.stringify({ zones }), signal);
}

/** The same, by the other request of the control. */
export function purgeZones(access: ControlAccess, zones: readonly string[], signal = deadline()): Promise<Flushed> {
  return tell("/purge", access, JSON.stringify({ zones }), signal);
}

/** Has all nameservers forget everything, and learn which zones exist: what was missed is made up for. */
export function purgeAll(access: ControlAccess, signal: AbortSignal): Promise<Flushed> {
  return tell("/purge-all", access, "", signal);
}

/** Whether the PowerDNS behind a control server answers. */
export async function pingControl(
  access: Pick<ControlAccess, "key" | "ca">,
  url: string,
  deadlineMs = FLUSH_DEADLINE_MS,
): Promise<boolean> {
  const request = { method: "GET", path: "/status", signal: AbortSignal.timeout(deadlineMs) } as const;
  return (await requestControl(access, url, request).catch(() => 0)) === 204;
}

const deadline = () => AbortSignal.timeout(FLUSH_DEADLINE_MS);

async function tell(path: string, access: ControlAccess, body: string, signal: AbortSignal): Promise<Flushed> {
  const request = { method: "POST", path, body, signal } as const;
  const statuses = await Promise.all(access.urls.map((url) => requestControl(access, url, request).catch(() => 0)));
  return { confirmed: statuses.filter((status) => status === 204).length, of: access.urls.length };
}
