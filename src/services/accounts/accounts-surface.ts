import { credentialHash } from "../../surfaces/http/credential.ts";
import { csrfToken, sessionScheme, unknownSession } from "../../surfaces/http/session.ts";
import { apiV1 } from "../../surfaces/rest/api-v1.ts";
import type { DescribedSurface } from "../../surfaces/rest/surface.ts";

const INTRODUCTION = `How people sign in. \`POST /sign-in\` sets two cookies: \`inv_session\`, which holds the secret of the session, and \`inv_csrf\`. A session lasts 12 hours.

A session is taken by these paths, by \`POST /graphql\`, and by those paths of the [main API](/docs) that say so. Everywhere else a request needs a token, and cookies are ignored. A request with \`Authorization\` is the token's, and its cookies are ignored as well. The organization follows from the session, the environment from the header \`X-Environment\` (\`live\` or \`test\`, \`live\` without it), and what the person may do from the role in the organization.

POST, PUT, PATCH and DELETE with a session must send the value of \`inv_csrf\`, which is also the member \`csrf_token\` of a session, as \`X-CSRF-Token\`; otherwise they get 403 \`csrf\`. Paths that need no session refuse pages of other origins with the same code.

A session that ran out gets 401 \`session_expired\`, for a week. One that was ended, or is unknown, gets 401 \`unauthenticated\`. Errors and limits work as in the [main API](/docs).`;

/** The API with which people sign in. */
export const accountsSurface: DescribedSurface = {
  prefix: "/api/v1/auth",
  errors: apiV1.errors,
  lists: apiV1.lists,
  limits: apiV1.limits,
  // People are here: the audit trail records their browsers.
  channel: "page",
  takesSessions: true,
  credentials: {
    headers: ["Authorization"],
    // A token is known, and SQL says that it is no session.
    digest: ({ authorization }) => {
      if (authorization === undefined) throw unknownSession();
      return credentialHash(authorization);
    },
    unknown: apiV1.credentials.unknown,
    refusals: ["unauthenticated"],
    securityScheme: sessionScheme,
    issue: async (operator, holder) => (await import("./examples-session.ts")).issueSession(operator, holder),
  },
  ofHeaders: {
    headers: [],
    parameters: ["session_sha256"],
    read: (_headers, session) => ({
      session_sha256: session?.liveHash.toString("hex") ?? null,
      csrf_token: session === null ? null : csrfToken(session.secret),
    }),
  },
  document: {
    ...apiV1.document,
    file: "schema/openapi-accounts.json",
    title: "Selo: accounts",
    introduction: () => INTRODUCTION,
    describesWebhooks: false,
  },
};
