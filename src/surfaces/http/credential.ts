import { createHash } from "node:crypto";
import { unauthenticated } from "../../app-error.ts";

const BEARER_TOKEN = /^Bearer +(svc_(?:live|test)_[A-Za-z0-9_-]{43})$/i;

/**
 * SHA-256 of the token in an Authorization header (RFC 6750 §2.1); only the hash goes further.
 * @throws AppError 401 unauthenticated when it is missing, or has not the shape of ours
 */
export function credentialHash(authorization: string | undefined): Buffer {
  const token = BEARER_TOKEN.exec(authorization ?? "")?.[1];
  if (token === undefined) throw unauthenticated();
  return createHash("sha256").update(token).digest();
}
