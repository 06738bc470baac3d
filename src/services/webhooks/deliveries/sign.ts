import { createHmac } from "node:crypto";

/** The signed headers of an attempt. */
export interface SignedHeaders {
  readonly [name: string]: string;
}

/**
 * The headers of an attempt (webhooks specification §6): the signature is over `{timestamp}.{body}`, keyed by the UTF-8
 * bytes of the whole secret.
 * @param timestamp Unix seconds
 * @param previousSecret the previous secret, while it still signs
 */
export function signedHeaders(
  secret: string,
  previousSecret: string | null,
  timestamp: number,
  { eventName, attempt, body }: { readonly eventName: string; readonly attempt: number; readonly body: string },
): SignedHeaders {
  // Two updates: one text of both would copy the body.
  const signature = (key: string) =>
    `v1=${createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex")}`;
  const headers = {
    "content-type": "application/json",
    "user-agent": "Selo-Webhooks/1",
    "x-webhook-timestamp": String(timestamp),
    "x-webhook-signature": signature(secret),
    "x-webhook-id": eventName,
    "x-webhook-attempt": String(attempt),
  };
  return previousSecret === null ? headers : { ...headers, "x-webhook-signature-previous": signature(previousSecret) };
}
