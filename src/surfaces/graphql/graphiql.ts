import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type RuruServerConfig, ruruHTML } from "ruru/server";
import { getStaticFile } from "ruru/static";
import { AppError } from "../../app-error.ts";

export const PAGE_PATH = "/graphiql";
const STATIC_PATH = "/graphiql/static/";

/**
 * GET /graphiql: an editor for GraphQL, served entirely from here. The page is public and contains no data. The
 * user writes a token into its headers, and the browser keeps the token for this page alone.
 */
export async function graphiqlPlugin(app: FastifyInstance, { endpoint }: { readonly endpoint: string }): Promise<void> {
  const page = ruruHTML({
    staticPath: STATIC_PATH,
    endpoint,
    // Its type declares every member as required; the page needs none of the others.
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
    if (file === null) throw new AppError(404, "not_found", "This path does not exist.");
    // A worker has the policy of the response it was loaded from.
    return reply
      .headers({ ...file.headers, vary: "accept-encoding", "content-security-policy": contentSecurityPolicy })
      .header("cache-control", "no-cache")
      .send(file.content);
  });
}

/** Allows scripts of this server, and the page's inline scripts by hash. The editor writes inline styles. */
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
