import { STATUS_CODES } from "node:http";
import { AppError } from "../../../errors/app-error.ts";
import { keyHash } from "../../../surfaces/http/credential.ts";
import { commonLimits } from "../../../surfaces/http/limits.ts";
import type { RestSurface } from "../../../surfaces/rest/surface.ts";
import { issueKey } from "../store.ts";
import { dnsSurface, sentenceOf } from "../surface.ts";
import { MOST_RRSETS } from "./power-dns-input.ts";

const refused = () => new AppError(401, "unauthenticated", "The X-API-Key is missing, unknown or revoked.");

/** Statuses whose words PowerDNS takes from HTTP. Clients know them. */
const IN_WORDS_OF_HTTP = [401, 404, 405];

/**
 * The HTTP API of PowerDNS 4.7, for the clients that people have: https://doc.powerdns.com/authoritative/http-api/. PowerDNS describes it, so it has no
 * document here, and its clients send more than the paths read.
 */
export const powerDnsSurface: RestSurface = {
  prefix: "/api/v1/servers",
  errors: {
    body: ({ status, code, message, fields }) => ({
      error: IN_WORDS_OF_HTTP.includes(status)
        ? (STATUS_CODES[status] ?? message)
        : code === "invalid_request" && fields
          ? sentenceOf(fields)
          : code === "too_large"
            ? `The body is too large: a request may have ${MOST_RRSETS}, and without sets 1 MiB.`
            : message,
    }),
    challenge: 'X-API-Key realm="PowerDNS"',
  },
  lists: dnsSurface.lists,
  limits: commonLimits,
  isLenient: true,
  credentials: {
    headers: ["X-API-Key"],
    digest: ({ "x-api-key": key }) => {
      const digest = keyHash(key);
      if (digest === null) throw refused();
      return digest;
    },
    unknown: refused,
    securityScheme: { name: "key", definition: { type: "apiKey", in: "header", name: "X-API-Key" } },
    scopes: dnsSurface.credentials.scopes ?? { all: [], least: "" },
    issue: async (operator, { tenantId, scopes }) => ({
      "X-API-Key": (await issueKey(operator, tenantId, "examples", scopes)).secret,
    }),
  },
  document: null,
};

/** `GET /api`, which says under which paths the API lies. */
export const powerDnsVersions: RestSurface = { ...powerDnsSurface, prefix: "/api", isOnePath: true };
