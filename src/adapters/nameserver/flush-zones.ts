import { type ControlAccess, requestControl } from "./control-request.ts";

/** How many of the nameservers forgot the zones. */
export interface Flushed {
  readonly confirmed: number;
  readonly of: number;
}

/** A caller waits for this after a change. */
const DEADLINE_MS = 2_000;

/**
 * Has all nameservers forget the old answers, keys and settings of zones. Rejects never: a nameserver that does not confirm within the deadline is not counted, and its caches
 * end after a minute.
 */
export function flushZones(
  access: ControlAccess,
  zones: readonly string[],
  deadlineMs = DEADLINE_MS,
): Promise<Flushed> {
  return ask("flush", access, zones, deadlineMs);
}

/** The same, by the other request of the control. */
export function purgeZones(
  access: ControlAccess,
  zones: readonly string[],
  deadlineMs = DEADLINE_MS,
): Promise<Flushed> {
  return ask("purge", access, zones, deadlineMs);
}

/** Whether the PowerDNS behind a control server answers. */
export async function pingControl(
  access: Pick<ControlAccess, "key" | "ca">,
  url: string,
  deadlineMs = DEADLINE_MS,
): Promise<boolean> {
  const request = { method: "GET", path: "/status", signal: AbortSignal.timeout(deadlineMs) } as const;
  return (await requestControl(access, url, request).catch(() => 0)) === 204;
}

async function ask(
  verb: "flush" | "purge",
  access: ControlAccess,
  zones: readonly string[],
  deadlineMs: number,
): Promise<Flushed> {
  const signal = AbortSignal.timeout(deadlineMs);
  const request = { method: "POST", path: `/${verb}`, body: JSON.stringify({ zones }), signal } as const;
  const statuses = await Promise.all(access.urls.map((url) => requestControl(access, url, request).catch(() => 0)));
  return { confirmed: statuses.filter((status) => status === 204).length, of: access.urls.length };
}
