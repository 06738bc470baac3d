import { type Evidence, readEvidence } from "../../verifier/evidence.ts";
import { member, type PlatformKey, parseJson, readKeys } from "../../verifier/keys.ts";

const PUBLIC = "/api/v1/public";
const PATIENCE_MS = 15_000;

/** The service's answer about a code or a digest. Nothing in it is believed before it is checked. */
export interface ServiceRecord {
  readonly evidence: Evidence;
  readonly environment: "live" | "test" | null;
  /** False if the service itself found a fault in its record. */
  readonly valid: boolean;
  /** The answer, byte for byte. */
  readonly text: string;
}

export type Lookup =
  | { readonly status: "none" | "loading" | "unknown" | "failed" }
  | { readonly status: "found"; readonly record: ServiceRecord }
  /** No proof, but an envelope has the code, or a sealed PDF with the digest. The answer, byte for byte. */
  | { readonly status: "envelope"; readonly text: string }
  | { readonly status: "throttled"; readonly seconds: number };

/** A query by code or by the digest of a file. Nothing else of a file ever leaves the browser. */
export type Query = { readonly code: string } | { readonly sha256: string };

/** Questions that were asked before anybody waited for their answers, by their JSON. */
const begun = new Map<string, Promise<Lookup>>();
let begunKeys: Promise<readonly PlatformKey[] | null> | null = null;

/** Asks for a proof and for the keys while the page is being made alive. */
export function beginLookUp(query: Query): void {
  const { signal } = new AbortController();
  begun.set(JSON.stringify(query), lookUp(query, signal));
  begunKeys = fetchKeys(signal);
}

/** The service's answer. It is asked unless it was asked already and nobody took the answer. */
export async function lookUp(query: Query, signal: AbortSignal): Promise<Lookup> {
  const early = begun.get(JSON.stringify(query));
  if (early !== undefined) {
    begun.delete(JSON.stringify(query));
    return early;
  }
  try {
    const about = (things: "proofs" | "envelopes") =>
      "code" in query
        ? ask(`/${things}/${encodeURIComponent(query.code)}`, signal)
        : ask(`/${things}/verify`, signal, JSON.stringify({ sha256: query.sha256 }));
    const ofProof = await about("proofs");
    const response = ofProof.status === 404 ? await about("envelopes") : ofProof;
    if (response.status === 404) return { status: "unknown" };
    if (response.status === 429) {
      return { status: "throttled", seconds: Number(response.headers.get("retry-after")) || 60 };
    }
    if (response.ok && response !== ofProof) return { status: "envelope", text: await response.text() };
    return response.ok ? { status: "found", record: readRecord(await response.text()) } : { status: "failed" };
  } catch {
    return { status: "failed" };
  }
}

/** The keys that the service publishes; null if it could not be asked. */
export async function fetchKeys(signal: AbortSignal): Promise<readonly PlatformKey[] | null> {
  if (begunKeys !== null) {
    const early = begunKeys;
    begunKeys = null;
    return early;
  }
  try {
    const response = await ask("/platform-key", signal);
    return response.ok ? readKeys(await response.text()) : null;
  } catch {
    return null;
  }
}

/** The address of the keys as a file. */
export const KEYS_URL = `${PUBLIC}/platform-key`;

function ask(path: string, signal: AbortSignal, body?: string): Promise<Response> {
  return fetch(PUBLIC + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
    // The mode in which browsers preload these addresses (src/surfaces/web/serve.ts); there are no cookies.
    credentials: "same-origin",
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
}

/** @throws UnreadableError */
function readRecord(text: string): ServiceRecord {
  const value = parseJson(text);
  const environment = member(value, "environment");
  return {
    evidence: readEvidence(text),
    environment: environment === "live" || environment === "test" ? environment : null,
    valid: member(member(value, "verification"), "valid") !== false,
    text,
  };
}
