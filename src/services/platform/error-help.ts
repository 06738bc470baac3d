/** What a caller can do about the errors of all services, for /guides/errors, as CommonMark. */
export const platformErrorHelp: Readonly<Record<string, string>> = {
  malformed_request:
    "Send the whole body, and valid JSON or multipart. Look at `Content-Length` and at what your HTTP library really sends.",
  range_not_satisfiable: "Ask for bytes that the file has. Without `Range` the whole file is answered.",
  unauthenticated:
    "Send `Authorization: Bearer` and the token. If the token is revoked or expired, ask an operator for another one.",
  insufficient_credits: "Ask an operator for credits. Test tokens need none.",
  missing_scope:
    "Use a token that has the scope that the message names. The scopes of a token cannot be changed: ask an operator for another token.",
  forbidden: "Ask the person who gave you the credential. Sending the request again does not help.",
  not_found:
    "Look at the path and the id. A live token does not see data of the test environment, and no token sees data of another organization.",
  method_not_allowed: "Use one of the methods that the header `Allow` names.",
  conflict:
    "Send another `Idempotency-Key` with another request. Without a key, read the resource: its state does not allow what you asked.",
  too_large: "Send less. For a proof of a large file, send its SHA-256 instead of the file.",
  unsupported_media_type: "Set `Content-Type` to a content type that `/docs` lists for the path.",
  invalid_request: "Correct each member that `fields` names, and send the request again.",
  rate_limited: "Wait for as many seconds as `Retry-After` says. `RateLimit` says what is left before this happens.",
  internal_error:
    "Tell the operator of Selo the request id. You may send the request again; with the same `Idempotency-Key` it is never done twice.",
  unavailable:
    "Wait for as many seconds as `Retry-After` says, and send the request again with the same `Idempotency-Key`.",
  clock_behind:
    "Try again later with the same `Idempotency-Key`. If you run Selo, correct the clock of the Postgres server: an alarm names it.",
};
