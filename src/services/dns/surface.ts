import { AppError, type FieldError } from "../../errors/app-error.ts";
import { tokenOrKeyHash } from "../../surfaces/http/credential.ts";
import { commonLimits } from "../../surfaces/http/limits.ts";
import { objectOf, type Schema } from "../../surfaces/openapi/schema.ts";
import { apiV1 } from "../../surfaces/rest/api-v1.ts";
import { linkHeader } from "../../surfaces/rest/pages.ts";
import type { DescribedSurface } from "../../surfaces/rest/surface.ts";
import { issueKey } from "./store.ts";

/** The header that says how many nameservers have confirmed a change. */
export const NAMESERVERS = "Selo-Nameservers";

const refused = () =>
  new AppError(401, "unauthenticated", "The API key is missing, unknown or revoked: send Authorization: Bearer dns_….");

/** The most characters of Accept-Language that are read. */
const MOST_LANGUAGES = 1_000;

/** The most characters of If-Match that are read. A tag that is cut matches nothing. */
const MOST_TAGS = 8_000;

/** How many wrong members a detail names; `fields` has all. */
const MOST_NAMED = 3;

/** A sentence that names the wrong members of a request. */
export function sentenceOf(fields: readonly FieldError[]): string {
  const named = fields.slice(0, MOST_NAMED).map(({ field, message }) => `${field || "The body"} ${message}`);
  const others = fields.length - named.length;
  return `${[...named, ...(others > 0 ? [`and ${others} more, see fields`] : [])].join("; ")}.`;
}

const errorSchema = (codes: readonly string[]): Schema => ({
  description: "An error.",
  ...objectOf(
    {
      detail: { type: "string", description: "What is wrong, in a sentence." },
      code: { type: "string", enum: [...codes], description: "The error for programs." },
      request_id: { type: "string", format: "uuid", description: "The id of the request, also in `X-Request-Id`." },
      fields: {
        type: "array",
        description: "Each wrong member of the request.",
        items: objectOf({ field: { type: "string" }, message: { type: "string" } }),
      },
    },
    ["fields"],
  ),
});

const INTRODUCTION = `DNS hosting: zones and their records. Each request carries an API key, \`Authorization: Bearer dns_…\`, which an operator creates with \`selo dns-key create\`. A key belongs to an organization and has some of four scopes: \`zone:read\`, \`zone:write\`, \`record:read\`, \`record:write\`. \`GET /me\` says what a key may do. \`{org_id}\` is the number of the key's organization. Any other number returns 403 \`forbidden\`, whether or not such an organization exists.

An error is \`{"detail", "code", "request_id"}\`, with \`fields\` if members of the request are wrong. Writes take an \`Idempotency-Key\` and rate limits are reported, as in the [main API](/docs).`;

/** The API of DNS hosting: its own prefix, keys instead of tokens, and errors whose detail is a text. */
export const dnsSurface: DescribedSurface = {
  prefix: "/v1",
  errors: {
    // The detail is a text that says it all: some clients show nothing else.
    body: ({ code, message, fields }, requestId) => ({
      detail: code === "invalid_request" && fields ? sentenceOf(fields) : message,
      code,
      request_id: requestId,
      ...(fields ? { fields } : {}),
    }),
    challenge: "Bearer",
  },
  lists: {
    send: (page, address) => {
      const link = linkHeader(page, address);
      return { body: page.items ?? "[]", headers: link === null ? {} : { link } };
    },
    documentedHeaders: {
      Link: {
        description:
          "With `limit`: the address of the next page (RFC 8288, rel `next`), with its `cursor`. The last page has none.",
        schema: { type: "string" },
      },
    },
    schemaSuffix: "List",
    isBare: true,
  },
  limits: commonLimits,
  organizationIn: {
    parameter: "org_id",
    description: "The number of the key's organization, as `GET /me` returns it.",
  },
  integersInPaths: ["zone_id", "record_id", "key_id"],
  ofHeaders: {
    headers: [
      {
        name: "Accept-Language",
        description: "The languages that the caller prefers, such as `pt-BR, en;q=0.5`.",
        schema: { type: "string" },
        parameter: "accept_language",
      },
      {
        name: "If-Match",
        description:
          "The `ETag` of the zone or of its records, as they were read. If they changed since, the answer is 412 `precondition_failed`, and nothing is done.",
        schema: { type: "string" },
        parameter: "if_match",
      },
    ],
    parameters: ["accept_language", "if_match"],
    read: ({ "accept-language": languages, "if-match": tags }) => ({
      accept_language: languages?.slice(0, MOST_LANGUAGES) ?? null,
      if_match: tags?.slice(0, MOST_TAGS) ?? null,
    }),
  },
  credentials: {
    headers: ["Authorization"],
    digest: ({ authorization }) => {
      try {
        // A token of the main API is known, and lacks the scopes of DNS.
        return tokenOrKeyHash(authorization);
      } catch {
        throw refused();
      }
    },
    unknown: refused,
    securityScheme: {
      name: "key",
      definition: { type: "http", scheme: "bearer", description: "An API key of DNS: `dns_…`." },
    },
    scopes: { all: ["record:read", "record:write", "zone:read", "zone:write"], least: "record:read" },
    issue: async (operator, { tenantId, scopes }) => {
      const { secret } = await issueKey(operator, tenantId, "examples", scopes);
      return { Authorization: `Bearer ${secret}` };
    },
  },
  document: {
    ...apiV1.document,
    file: "schema/openapi-dns.json",
    title: "Selo: DNS hosting",
    introduction: () => INTRODUCTION,
    errorSchema,
    writeHeaders: {
      [NAMESERVERS]: {
        description:
          "How many nameservers have confirmed that they serve the change, and how many there are: `2/2`. The others follow within a minute. Absent if the service knows no nameserver.",
        schema: { type: "string", pattern: "^[0-9]+/[0-9]+$" },
        changes: true,
      },
    },
    describesWebhooks: false,
  },
};
