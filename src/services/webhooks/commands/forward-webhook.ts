import { Agent, request } from "undici";
import { operatorConnector } from "../../../adapters/outgoing-http/operator-connection.ts";
import { connectionReason } from "../../../surfaces/cli/connection-reason.ts";

/** The limits of a worker's attempt: milliseconds, and bytes of the answer. */
const ATTEMPT_MS = 15_000;
const MOST_BYTES = 16 * 1024;
const CONNECT_MS = 5_000;
/** As a worker's: interim answers are passed over, and localhost is tried at all its addresses. */
const dispatcher = new Agent({ connect: operatorConnector({ timeout: CONNECT_MS }), allowH2: false, pipelining: 1 });

/** The outcome of a forwarded delivery. */
export type Forwarded = { readonly duration_ms: number } & ({ readonly status: number } | { readonly error: string });

/** Posts a delivery as a worker would: headers and body unchanged, no redirect followed. Never throws. */
export async function forwardWebhook(
  url: string,
  delivery: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
): Promise<Forwarded> {
  const began = performance.now();
  const duration = () => ({ duration_ms: Math.round(performance.now() - began) });
  const late = AbortSignal.timeout(ATTEMPT_MS);
  try {
    const limits = { signal: AbortSignal.any([signal, late]), headersTimeout: 0, bodyTimeout: 0 };
    const { statusCode, body } = await request(url, { method: "POST", dispatcher, ...delivery, ...limits });
    await body.dump({ limit: MOST_BYTES, signal: limits.signal });
    return { status: statusCode, ...duration() };
  } catch (error) {
    return {
      error: late.aborted ? `no answer within ${ATTEMPT_MS / 1_000} s` : connectionReason(error),
      ...duration(),
    };
  }
}
