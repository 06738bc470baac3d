import { unauthenticated } from "../../errors/app-error.ts";
import { credentialHash } from "../http/credential.ts";
import { commonErrors } from "../http/errors.ts";
import { commonLimits } from "../http/limits.ts";
import { errorSchema } from "../openapi/errors.ts";
import { BEARER, introduction } from "../openapi/prose.ts";
import { linkHeader } from "./pages.ts";
import type { DescribedSurface } from "./surface.ts";

/** The main surface: the surface of every route that names no other. */
export const apiV1: DescribedSurface = {
  prefix: "/api/v1",
  errors: commonErrors,
  lists: {
    // The text is sent as SQL made it: nothing is parsed or written again.
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
          "Requests left (`r`) and seconds until the minute ends (`t`), for the token, or for the address if there is no token.",
        schema: { type: "string" },
        changes: true,
      },
      "RateLimit-Policy": {
        description: "Allowed requests (`q`) in a window of seconds (`w`).",
        schema: { type: "string" },
      },
    },
    describesWebhooks: true,
  },
};
