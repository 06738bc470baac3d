import { KEY_FORM } from "../http/idempotency.ts";
import { MOST_JSON_BYTES } from "../http/json.ts";
import { REQUEST_ID_FORM } from "../http/request-id.ts";
import type { Introduced } from "./introduced.ts";

/** Settings that a deployment may change, with their defaults. */
export interface Defaults {
  /** Requests a minute from one address without a token. */
  readonly publicRequestsPerMinute: number;
  /** Requests a minute with one token. */
  readonly tokenRequestsPerMinute: number;
  readonly idempotencyRetentionDays: number;
}

/** The rules common to all paths. */
export function introduction(defaults: Defaults, ofServices: readonly Introduced[]): string {
  const offers = new Intl.ListFormat("en-GB").format(ofServices.flatMap((service) => service.offers ?? []));
  const listRules = ofServices.flatMap((service) => service.listRules ?? []);
  return `${offers}. Anyone can check what Selo asserts, offline and without trusting Selo.

## Tokens and environments

Every path except the public paths needs \`Authorization: Bearer TOKEN\`. A token belongs to one organization and to one environment.
Its prefix names the environment: \`svc_live_\` or \`svc_test_\`. Both environments have the same address, but their data is separate. In **test**
nothing costs a credit, and what is made there proves nothing. A resource of another organization or environment returns 404.
A token has scopes. Each operation names the scope that it needs. Use tokens only in a backend.

## Repeating a request

Writes take an \`Idempotency-Key\`: ${KEY_FORM.least} to ${KEY_FORM.most} visible ASCII characters, unique for each logical operation. Once a request has succeeded, the same request with the same key gets
the same answer, with the header \`Idempotent-Replayed: true\`. Another request with the same key gets 409 \`conflict\`. A refused request does not use up its key. Keys are kept for at
least ${defaults.idempotencyRetentionDays} days, unless the deployment has a different setting.

## Errors

\`\`\`json
{
  "detail": {"code": "missing_scope", "message": "The token lacks the scope audit:read."},
  "request_id": "0197a0c0-0000-7000-8000-000000000000",
  "documentation": "https://selo.example/guides/errors#missing_scope"
}
\`\`\`

Branch on \`code\`. Messages are for people and may change. 422 \`invalid_request\` also lists \`fields\`, each with the reason. Unknown members and query parameters also return 422. A path that does not support the method returns 405 \`method_not_allowed\` with \`Allow\`. A path that does not exist returns 404 \`not_found\`. Every response has an \`X-Request-Id\`, which identifies the request in our logs and is the \`request_id\` of an error.
A request may send its own \`X-Request-Id\`: ${REQUEST_ID_FORM.least} to ${REQUEST_ID_FORM.most} ASCII letters, digits, dots, hyphens and underscores. Any other value is replaced by a new UUID.

## Limits

Lengths of texts count Unicode code points. NUL and lone surrogates are refused. A JSON body has at most ${MOST_JSON_BYTES / 2 ** 20} MiB. An operation that takes a file states the largest size. Address and headers together have at most 16 KiB. A larger request gets 413 \`too_large\`.

A token may make ${defaults.tokenRequestsPerMinute} requests a minute. One address without a token may make ${defaults.publicRequestsPerMinute}. A deployment may have other settings. \`RateLimit\` says how many are left. Further requests get 429 \`rate_limited\`. Responses 429 and 503 say in \`Retry-After\` how long to wait.

## Compression

Answers to reads of 1 KiB or more are compressed with zstd, br or gzip, if \`Accept-Encoding\` asks for it. Answers to writes, files and streams are not compressed.

## Times and lists

Times are UTC, ISO 8601 with microseconds: \`2026-11-20T12:34:56.633467Z\`. Times inside a signed or hashed text keep the form that was signed or hashed, with \`+00:00\`.

Lists return \`items\`, newest first. The header \`Link\` has the address of the next page, and \`next_cursor\` is the value of its \`cursor\`. Pages by \`cursor\` cost the same at any depth, and rows
added meanwhile do not move items. Pages by \`cursor\` have no \`total\` and no \`offset\`. Pages by \`offset\` have both. \`from\` and \`to\` select a period, and \`fields=id,label\` selects members of each item by name. A parameter that takes several values takes them with commas between them, or repeated: \`fields=id&fields=label\`. Any other parameter that is given twice returns 422. In an address, \`+\` is written \`%2B\`.${listRules.map((rule) => ` ${rule}`).join("")}

New members may be added to answers at any time. Ignore members that you do not know.`;
}

export const BEARER =
  "`Authorization: Bearer svc_live_…` or `svc_test_…`: the prefix, then 43 characters. The token alone selects the " +
  "organization and the environment. The token is shown only once, when it is created. The server keeps only a hash of it.";
