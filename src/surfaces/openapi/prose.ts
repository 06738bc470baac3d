/** What the API has to say beyond its paths, for readers of /docs. */
export const tags = {
  "Proofs of existence":
    "That a file with a given SHA-256 digest existed at an instant, measured by the server's clock and sealed with two " +
    "signatures, Ed25519 and ML-DSA-87 (post-quantum), both required. A proof does not say who made the file or what is in " +
    "it, and the instant is not from an accredited time authority.",
  Webhooks:
    "Events of the organization, posted to your own addresses as they happen, signed and retried. `X-Webhook-Signature` is `v1=` and the " +
    "hexadecimal HMAC-SHA-256 of `{X-Webhook-Timestamp}.{raw body}`, keyed by the UTF-8 bytes of the whole secret, `whsec_` included. " +
    "Compare in constant time and refuse a timestamp more than 300 seconds away; examples in three languages: `src/receiver/README.md` of " +
    "the source. Any 2xx answer within 15 seconds is success. Otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, " +
    "20 h and 24 h; 410 disables the webhook, and so do 20 failures in a row over at least a day. The same event may come more than once, and events in any order: `X-Webhook-Id` is the event's id. " +
    "The kinds of events are the webhooks of this description. On a developer's machine `selo listen` shows events as they come, without a public address.",
  Billing:
    "Credits and the plan. They belong to the organization, so live and test tokens see the same. A new proof takes one " +
    "`signature` credit in the live environment; nothing takes any in test. `icp_brasil` is a separate balance, for " +
    "participants who sign with their own ICP-Brasil certificate.",
  "Public verification":
    "For anyone, without a token: look proofs up, and get the keys to check them offline. Names and sizes of files are " +
    "never shown. How to check a proof without trusting us: `src/verifier/README.md` of the source, or " +
    "`selo proof verify`.",
  "Audit trail":
    "One event for every write that was committed, whether it came by REST, GraphQL or the command line. The events about one subject " +
    "form a chain: each holds the SHA-256 of the one before it. Daily, the heads of all chains are sealed with both platform keys. " +
    "Personal data is in the chain only as salted commitments, so that it can be erased without breaking it.",
} as const;

/** What a deployment may set otherwise, as it is by default. */
export interface Defaults {
  /** Requests of one address without a token. */
  readonly publicRequestsPerMinute: number;
  /** Requests of one token. */
  readonly tokenRequestsPerMinute: number;
  readonly proofMaxFileBytes: number;
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

Writes take an \`Idempotency-Key\`: 1 to 255 visible ASCII characters, unique for each logical operation. Once a request has succeeded, the same key with the same request answers
what it got, with the header \`Idempotent-Replayed: true\`; with another request, 409 \`conflict\`. A request that was refused claims no key. Keys are kept for at
least ${defaults.idempotencyRetentionDays} days, unless the deployment says otherwise.

## Errors

\`\`\`json
{"detail": {"code": "missing_scope", "message": "The token lacks the scope proofs:write."}}
\`\`\`

Branch on \`code\`; messages are for people and may change. 422 \`invalid_request\` also lists \`fields\`, each with the reason. Unknown members and query
parameters are 422, too. On every path a method it does not have answers 405 \`method_not_allowed\` with \`Allow\`, and a path that does not exist 404
\`not_found\`. Every response has an \`X-Request-Id\`, which finds the request in our logs.

## Limits

Lengths of texts count Unicode code points; NUL and lone surrogates are refused. A JSON body has at most 1 MiB, a file ${gibibytes(defaults.proofMaxFileBytes)} unless the deployment says
otherwise, address and headers together 16 KiB; beyond that 413 \`too_large\`. A token may ask ${defaults.tokenRequestsPerMinute} times a minute, and without a token
one address ${defaults.publicRequestsPerMinute} times, unless the deployment says otherwise; \`RateLimit\` says how many are left; beyond that 429 \`rate_limited\`. 429 and 503 say in \`Retry-After\` when to come back.

## Times and lists

Times are UTC, ISO 8601 with offset and microseconds: \`2026-11-20T12:34:56.633467+00:00\`. Lists take \`limit\` and \`offset\` and answer \`items\` with \`total\`;
the header \`Link\` leads to the next and the previous page. New members may be added to answers at any time: ignore those you do not know.`;
}

export const BEARER =
  "`Authorization: Bearer svc_live_…` or `svc_test_…`: the prefix, then 43 characters. The token alone selects the " +
  "organization and the environment. It is shown once, when it is made; only a hash of it is kept.";

function gibibytes(bytes: number): string {
  return `${bytes / 1024 ** 3} GiB`;
}
