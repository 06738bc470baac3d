import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type RuruServerConfig, ruruHTML } from "ruru/server";
import { getStaticFile } from "ruru/static";
import { AppError } from "../../app-error.ts";

export const PAGE_PATH = "/graphiql";
const STATIC_PATH = "/graphiql/static/";

/**
 * GET /graphiql: an editor for GraphQL, everything of it served from here. The page is public and knows nothing; the
 * user writes a token into its headers, which the browser keeps for that page alone.
 */
export async function graphiqlPlugin(app: FastifyInstance, { endpoint }: { readonly endpoint: string }): Promise<void> {
  const page = ruruHTML({
    staticPath: STATIC_PATH,
    endpoint,
    // Its declaration wants every member, the page none.
    clientConfig: {
      isHeadersEditorEnabled: true,
      initialHeaders: `{\n  "Authorization": "Bearer svc_test_YOUR_TOKEN"\n}`,
      defaultQuery:
        "{\n  proofs(first: 10) {\n    nodes {\n      id\n      sha256\n      registeredAt\n      verifyUrl\n    }\n  }\n}\n",
      defaultEditorToolsVisibility: "headers",
    } as object as NonNullable<RuruServerConfig["clientConfig"]>,
  });
  const contentSecurityPolicy = policyOf(page);

  app.get(PAGE_PATH, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-security-policy", contentSecurityPolicy).send(page),
  );
  app.get(`${STATIC_PATH}*`, async (request, reply) => {
    const file = await getStaticFile({
      staticPath: STATIC_PATH,
      urlPath: request.url,
      acceptEncoding: request.headers["accept-encoding"],
      disallowDevAssets: true,
    });
    if (file === null) throw new AppError(404, "not_found", "There is no such path.");
    // Workers have a policy of their own: that of the response they are loaded from.
    return reply
      .headers({ ...file.headers, vary: "accept-encoding", "content-security-policy": contentSecurityPolicy })
      .header("cache-control", "no-cache")
      .send(file.content);
  });
}

/** Scripts from here, and the page's own ones by their hash; the editor writes styles as it goes. */
function policyOf(page: string): string {
  const inlineScripts = [...page.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text = ""]) => {
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  });
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts.join(" ")}`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
