/** How many of the nameservers forgot the zones. */
export interface Flushed {
  readonly confirmed: number;
  readonly of: number;
}

/** A caller waits for this after a change. */
const DEADLINE_MS = 2_000;

/**
 * Has all nameservers forget the old answers of zones. Rejects never: a nameserver that does not confirm within the deadline is not counted, and its caches
 * end after a minute.
 * @param urls the nameservers' control servers
 * @param key their bearer key
 */
export function flushZones(
  urls: readonly string[],
  key: string,
  zones: readonly string[],
  deadlineMs = DEADLINE_MS,
): Promise<Flushed> {
  return ask("flush", urls, key, zones, deadlineMs);
}

/** The same for keys and metadata of zones. */
export function purgeZones(
  urls: readonly string[],
  key: string,
  zones: readonly string[],
  deadlineMs = DEADLINE_MS,
): Promise<Flushed> {
  return ask("purge", urls, key, zones, deadlineMs);
}

/** Whether the PowerDNS behind a control server answers. */
export async function pingControl(url: string, key: string, deadlineMs = DEADLINE_MS): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/status`, {
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(deadlineMs),
    });
    await answer.body?.cancel();
    return answer.status === 204;
  } catch {
    return false;
  }
}

async function ask(
  verb: "flush" | "purge",
  urls: readonly string[],
  key: string,
  zones: readonly string[],
  deadlineMs: number,
): Promise<Flushed> {
  const signal = AbortSignal.timeout(deadlineMs);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ zones });
  const confirmations = await Promise.all(
    urls.map(async (url) => {
      try {
        const answer = await fetch(`${url}/${verb}`, { method: "POST", headers, body, redirect: "manual", signal });
        await answer.body?.cancel();
        return answer.status === 204;
      } catch {
        return false;
      }
    }),
  );
  return { confirmed: confirmations.filter(Boolean).length, of: urls.length };
}
