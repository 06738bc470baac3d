import { unauthenticated } from "../../app-error.ts";
import { credentialHash } from "../http/credential.ts";
import { commonErrors } from "../http/errors.ts";
import { commonLimits } from "../http/limits.ts";
import { errorSchema } from "../openapi/errors.ts";
import { BEARER, introduction } from "../openapi/prose.ts";
import { linkHeader } from "./pages.ts";
import type { RestSurface } from "./surface.ts";

/** The main surface: that of every route which names no other. */
export const apiV1: RestSurface = {
  prefix: "/api/v1",
  errors: commonErrors,
  lists: {
    // The text as SQL made it: nothing is parsed or written again.
    send: (page, address) => {
      const link = linkHeader(page, address);
      return { body: page.text, headers: link === null ? {} : { link } };
    },
    documentedHeaders: {
      Link: {
        description:
          "The addresses of the next page and, where `offset` was given, of the previous one (RFC 8288, rel `next` and `prev`). The last page has no `next`.",
        schema: { type: "string" },
      },
    },
    schemaSuffix: "Page",
  },
  limits: commonLimits,
  credentials: {
    headers: ["Authorization"],
    digest: ({ authorization }) => credentialHash(authorization),
    unknown: unauthenticated,
    securityScheme: { name: "token", definition: { type: "http", scheme: "bearer", description: BEARER } },
    issue: async (operator, { tenantId, environment, scopes }) => {
      const { token } = await operator.createToken(tenantId, environment, "examples", scopes);
      return { Authorization: `Bearer ${token}` };
    },
  },
  document: {
    file: "schema/openapi.json",
    title: "Selo",
    introduction,
    errorSchema,
    limitHeaders: {
      RateLimit: {
        description:
          "How many requests are left (`r`), of a token or of an address without one, and in how many seconds the minute ends (`t`).",
        schema: { type: "string" },
        changes: true,
      },
      "RateLimit-Policy": {
        description: "How many requests there are (`q`) in how many seconds (`w`).",
        schema: { type: "string" },
      },
    },
    describesWebhooks: true,
  },
};
