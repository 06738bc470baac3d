import { type ControlAccess, requestControl } from "./control-request.ts";

/** How many of the nameservers forgot all of the zones. */
export interface Flushed {
  readonly confirmed: number;
  readonly of: number;
}

/** Most zones of a request. */
export const MOST_ZONES = 1_000;

/** A probe is a flush, because the next change will be one. No zone has this name (RFC 2606). */
export const PROBED_ZONE = "nameserver-probe.invalid";

/** A caller waits for this after a change. */
export const FLUSH_DEADLINE_MS = 2_000;

/**
 * Has all nameservers forget the old answers, keys and settings of zones, in one request each for every thousand zones. Never rejects: a nameserver that does not confirm before the signal is not counted, and its caches
 * end after a minute.
 * @param signal ends the wait; a deadline of two seconds by default
 */
export function flushZones(access: ControlAccess, zones: readonly string[], signal = deadline()): Promise<Flushed> {
  return tell("/flush", access, bodiesOf(zones), signal);
}

/** The same, by the other request of the control. */
export function purgeZones(access: ControlAccess, zones: readonly string[], signal = deadline()): Promise<Flushed> {
  return tell("/purge", access, bodiesOf(zones), signal);
}

/** Has all nameservers forget everything, and learn which zones exist: what was missed is made up for. */
export function purgeAll(access: ControlAccess, signal: AbortSignal): Promise<Flushed> {
  return tell("/purge-all", access, [""], signal);
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

const bodiesOf = (zones: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(zones.length / MOST_ZONES) }, (_, part) =>
    JSON.stringify({ zones: zones.slice(part * MOST_ZONES, (part + 1) * MOST_ZONES) }),
  );

async function tell(
  path: string,
  access: ControlAccess,
  bodies: readonly string[],
  signal: AbortSignal,
): Promise<Flushed> {
  const isTold = async (url: string) => {
    for (const body of bodies) {
      const status = await requestControl(access, url, { method: "POST", path, body, signal }).catch(() => 0);
      if (status !== 204) return false;
    }
    return true;
  };
  const told = await Promise.all(access.urls.map(isTold));
  return { confirmed: told.filter(Boolean).length, of: access.urls.length };
}
