/** What a caller can do about the errors of all services, for /guides/errors, as CommonMark. */
export const platformErrorHelp: Readonly<Record<string, string>> = {
  malformed_request:
    "Send the complete body, as valid JSON or multipart. Check `Content-Length` and what your HTTP library actually sends.",
  range_not_satisfiable: "Request bytes that the file has. Without `Range`, you get the whole file.",
  unauthenticated:
    "Send `Authorization: Bearer` and the token. If the token is revoked or has expired, ask an operator for another one. A person signs in again.",
  insufficient_credits: "Ask an operator for credits. Test tokens need none.",
  missing_scope:
    "Use a token that has the scope that the message names. The scopes of a token cannot be changed: ask an operator for another token.",
  forbidden: "Ask the person who gave you the credential. Sending the request again does not help.",
  not_found:
    "Check the path and the id. A live token does not see data of the test environment, and no token sees data of another organization.",
  method_not_allowed: "Use one of the methods that the header `Allow` names.",
  conflict:
    "Use a new `Idempotency-Key` for each new request. If you sent no key, read the resource: its state does not allow your request.",
  too_large: "Send less. For a proof of a large file, send its SHA-256 instead of the file.",
  unsupported_media_type: "Set `Content-Type` to a content type that `/docs` lists for the path.",
  invalid_request: "Correct each member that `fields` names, and send the request again.",
  rate_limited:
    "Wait for as many seconds as `Retry-After` says. `RateLimit` says how many requests are left before this happens.",
  internal_error:
    "Tell the operator of Selo the request id. You can send the request again. With the same `Idempotency-Key`, it is never carried out twice.",
  unavailable:
    "Wait for as many seconds as `Retry-After` says, and send the request again with the same `Idempotency-Key`.",
  clock_behind:
    "Try again later with the same `Idempotency-Key`. If you run Selo, correct the clock of the Postgres server: an alarm names it.",
};
