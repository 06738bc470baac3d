import { KEY_FORM } from "../http/idempotency.ts";
import { MOST_JSON_BYTES } from "../http/json.ts";
import { REQUEST_ID_FORM } from "../http/request-id.ts";

/** What a deployment may set otherwise, as it is by default. */
export interface Defaults {
  /** Requests of one address without a token. */
  readonly publicRequestsPerMinute: number;
  /** Requests of one token. */
  readonly tokenRequestsPerMinute: number;
  readonly idempotencyRetentionDays: number;
}

/** The rules common to all paths. */
export function introduction(defaults: Defaults): string {
  return `Electronic signatures and proofs of existence. What Selo asserts can be checked by a stranger, offline, without trusting Selo.

## Tokens and environments

Every path but the public ones wants \`Authorization: Bearer TOKEN\`. A token belongs to one organization and to one environment,
which its prefix tells: \`svc_live_\` or \`svc_test_\`. There is one address for both. Data of the two is kept apart; in **test**
nothing costs a credit, and a test proof proves nothing. What belongs to another organization or environment answers 404.
A token has scopes; each operation names the one it needs. Use tokens from a backend only.

## Repeating a request

Writes take an \`Idempotency-Key\`: ${KEY_FORM.least} to ${KEY_FORM.most} visible ASCII characters, unique for each logical operation. Once a request has succeeded, the same key with the same request answers
what it got, with the header \`Idempotent-Replayed: true\`; with another request, 409 \`conflict\`. A request that was refused claims no key. Keys are kept for at
least ${defaults.idempotencyRetentionDays} days, unless the deployment says otherwise.

## Errors

\`\`\`json
{
  "detail": {"code": "missing_scope", "message": "The token lacks the scope proofs:write."},
  "request_id": "0197a0c0-0000-7000-8000-000000000000",
  "documentation": "https://selo.example/guides/errors#missing_scope"
}
\`\`\`

Branch on \`code\`; messages are for people and may change. 422 \`invalid_request\` also lists \`fields\`, each with the reason. Unknown members and query
parameters are 422, too. On every path a method it does not have answers 405 \`method_not_allowed\` with \`Allow\`, and a path that does not exist 404
\`not_found\`. Every response has an \`X-Request-Id\`, which finds the request in our logs and is \`request_id\` of an error.
A request may bring its own: ${REQUEST_ID_FORM.least} to ${REQUEST_ID_FORM.most} ASCII letters, digits, dots, hyphens and underscores. Any other is replaced by a new UUID.

## Limits

Lengths of texts count Unicode code points; NUL and lone surrogates are refused. A JSON body has at most ${MOST_JSON_BYTES / 2 ** 20} MiB, a file as much as its operation says, address and headers together 16 KiB; beyond that 413 \`too_large\`. A token may ask ${defaults.tokenRequestsPerMinute} times a minute, and without a token
one address ${defaults.publicRequestsPerMinute} times, unless the deployment says otherwise; \`RateLimit\` says how many are left; beyond that 429 \`rate_limited\`. 429 and 503 say in \`Retry-After\` when to come back.

## Compression

Answers of reads, of 1 KiB and more, are compressed with zstd, br or gzip where \`Accept-Encoding\` asks for it. Answers of writes, files and streams are not.

## Times and lists

Times are UTC, ISO 8601 with microseconds: \`2026-11-20T12:34:56.633467Z\`. What is signed or hashed is written as it was signed or hashed, with \`+00:00\`. 

Lists answer \`items\`, the newest first. The header \`Link\` has the address of the next page; \`next_cursor\` is what \`cursor\` of it is. Pages by \`cursor\` cost the same however far they are, and rows that are
added meanwhile move nothing; they have no \`total\` and no \`offset\`. Pages by \`offset\` have both. \`from\` and \`to\` ask for a period, and \`fields=id,label\` for some members of each item, by their names.

New members may be added to answers at any time: ignore those you do not know.`;
}

export const BEARER =
  "`Authorization: Bearer svc_live_…` or `svc_test_…`: the prefix, then 43 characters. The token alone selects the " +
  "organization and the environment. It is shown once, when it is made; only a hash of it is kept.";
