import { hash } from "node:crypto";
import { AppError, unauthenticated } from "../../errors/app-error.ts";

const BEARER_TOKEN = /^Bearer +(svc_(?:live|test)_[A-Za-z0-9_-]{43})$/i;

/** An API key of a service: the service's prefix, eight hexadecimal digits that are public, and the secret. */
const BEARER_KEY = /^Bearer +([a-z]+_[0-9a-f]{8}_[A-Za-z0-9_-]{43})$/i;

/** The beginning of a header with this scheme. */
const BEARER = /^Bearer(?: |$)/i;

const WITHOUT_BEARER =
  "The Authorization header must begin with the word Bearer: Bearer svc_live_… or Bearer svc_test_…";

/**
 * SHA-256 of the token in an Authorization header (RFC 6750 §2.1); only the hash goes further.
 * @throws AppError 401 unauthenticated if the header is missing, or if the token does not have our form
 */
export function credentialHash(authorization: string | undefined): Buffer {
  const token = BEARER_TOKEN.exec(authorization ?? "")?.[1];
  if (token !== undefined) return hash("sha256", token, "buffer");
  if (authorization === undefined || BEARER.test(authorization)) throw unauthenticated();
  throw new AppError(401, "unauthenticated", WITHOUT_BEARER);
}

/** An API key where no scheme stands before it. */
const BARE_KEY = /^[a-z]+_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/;

/** SHA-256 of an API key in its own header; null if the header is missing, or holds no API key. */
export const keyHash = (header: string | readonly string[] | undefined): Buffer | null =>
  typeof header === "string" && BARE_KEY.test(header) ? hash("sha256", header, "buffer") : null;

/**
 * SHA-256 of the token or of the API key in an Authorization header, where both are taken.
 * @throws AppError as {@link credentialHash}
 */
export function tokenOrKeyHash(authorization: string | undefined): Buffer {
  const key = BEARER_KEY.exec(authorization ?? "")?.[1];
  return key === undefined ? credentialHash(authorization) : hash("sha256", key, "buffer");
}
