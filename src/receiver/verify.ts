// Everything that a receiver of webhooks needs, for every runtime with WebCrypto (Node, Deno, Bun, browsers, workers): no packages, no
// framework. Copy this file, or read it.

/** The headers of a delivery, in any common form: Headers, node:http, Fastify, Express, API Gateway. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a delivery must not be believed. */
export type VerificationFault =
  /** A header is missing or malformed. */
  | "malformed"
  /** The timestamp is further from now than the tolerance: the delivery was replayed, or one of the two clocks is wrong. */
  | "too_old"
  /** Neither signature was made with this secret over these bytes. */
  | "wrong_signature";

export type Verification = { readonly valid: true } | { readonly valid: false; readonly fault: VerificationFault };

export interface VerifyOptions {
  /** Most seconds between the timestamp and now, in the past or the future; 300 as the specification says. */
  readonly toleranceSeconds?: number;
  /** The present time in seconds since 1970, for tests. */
  readonly now?: () => number;
}

const SIGNATURE = /^v1=([0-9a-f]{64})$/;
const TIMESTAMP = /^\d{1,12}$/;
const SECRET = /^whsec_[\w-]{20,}$/;

/**
 * Checks that a delivery was signed with this secret within the last five minutes. `X-Webhook-Signature` is `v1=` and the
 * hexadecimal HMAC-SHA-256 of `{timestamp}.{body}`, keyed by the UTF-8 bytes of the whole secret, `whsec_` included. For
 * 24 hours after a rotation `X-Webhook-Signature-Previous` is the same signature made with the previous secret, so that a receiver can
 * exchange its secret at any moment of these hours.
 * @param secret as it was shown when the endpoint was registered or rotated
 * @param body the raw bytes as they arrived, before any JSON parser
 * @throws TypeError for a wrong secret or body argument: with an empty secret anyone could sign
 */
export async function verifyWebhook(
  secret: string,
  headers: DeliveryHeaders,
  body: Uint8Array | string,
  options: VerifyOptions = {},
): Promise<Verification> {
  if (!SECRET.test(secret)) throw new TypeError("the secret must begin with whsec_, exactly as it was shown");
  if (typeof body !== "string" && !(ArrayBuffer.isView(body) && body.BYTES_PER_ELEMENT === 1))
    throw new TypeError("the body must be the raw bytes, before any JSON parser");
  const { toleranceSeconds = 300, now = () => Date.now() / 1_000 } = options;
  const timestamp = header(headers, "x-webhook-timestamp");
  const signature = header(headers, "x-webhook-signature");
  const previous = header(headers, "x-webhook-signature-previous");
  if (timestamp === null || signature === null || !TIMESTAMP.test(timestamp))
    return { valid: false, fault: "malformed" };
  const given = [signature, ...(previous === null ? [] : [previous])].map((text) => SIGNATURE.exec(text)?.[1]);
  if (given.includes(undefined)) return { valid: false, fault: "malformed" };
  // Written so that a clock or a tolerance that is not a number refuses the delivery.
  if (!(Math.abs(now() - Number(timestamp)) <= toleranceSeconds)) return { valid: false, fault: "too_old" };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const prefix = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  const encoded = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", encoded, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  // WebCrypto compares in constant time. Both signatures are always compared.
  const verdicts = await Promise.all(given.map((hex) => crypto.subtle.verify("HMAC", key, bytesOf(hex ?? ""), signed)));
  return verdicts.includes(true) ? { valid: true } : { valid: false, fault: "wrong_signature" };
}

/** Null for a missing or a repeated header: a repeated header is ambiguous. */
function header(headers: DeliveryHeaders, name: string): string | null {
  if (typeof headers.get === "function") return headers.get(name);
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? [value].flat() : []));
  const [value] = values;
  return values.length === 1 && typeof value === "string" ? value : null;
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, place) =>
    Number.parseInt(hex.slice(place * 2, place * 2 + 2), 16),
  );
}
