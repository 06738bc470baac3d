import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ruruHTML } from "ruru/server";
import { getStaticFile } from "ruru/static";
import { AppError } from "../../errors/app-error.ts";
import { isKnown } from "../http/entity-tag.ts";
import { isFromOwnMachine } from "../http/own-machine.ts";
import { vary } from "../http/vary.ts";
import { editorPage } from "./graphiql-page.ts";

export const PAGE_PATH = "/graphiql";
/** The version stands in the path of the editor's files, so browsers keep them. The package tells it only in the address of its own files. */
const [, VERSION] = /ruru@([\w.-]+)\/static\//.exec(ruruHTML({})) ?? [];
if (VERSION === undefined) throw new Error("ruru names no version");
const STATIC_PATH = `/graphiql/static/${VERSION}/`;
const FOREVER = "public, max-age=31536000, immutable";

export interface GraphiqlOptions {
  readonly endpoint: string;
  readonly publicUrl: string;
  /** The token for a developer on this machine. Only a page that is opened on this machine contains it. In production no page contains a token. */
  readonly demoToken?: (() => string | null) | null;
}

/**
 * GET /graphiql: an editor for GraphQL, served entirely from here. The page is public and contains no data. The
 * user writes a token into its headers, and the browser keeps the token for this page alone.
 */
export async function graphiqlPlugin(
  app: FastifyInstance,
  { endpoint, publicUrl, demoToken = null }: GraphiqlOptions,
): Promise<void> {
  const publicPage = editorPage(endpoint, STATIC_PATH, null);
  const gzipped = new Map<string, Promise<Buffer>>();

  const pageFor = (request: FastifyRequest) => {
    const token = demoToken !== null && isFromOwnMachine(request, publicUrl) ? demoToken() : null;
    return token === null ? publicPage : editorPage(endpoint, STATIC_PATH, token);
  };

  app.get(PAGE_PATH, async (request, reply) => {
    const { html, policy } = pageFor(request);
    return (
      reply
        .type("text/html; charset=utf-8")
        // No cache may hand the page with a token to another reader.
        .headers({ "content-security-policy": policy, "cache-control": demoToken === null ? "no-cache" : "no-store" })
        .send(html)
    );
  });
  app.get(`${PAGE_PATH}/`, async (_request, reply) => reply.redirect(PAGE_PATH, 308));
  app.get(`${STATIC_PATH}*`, async (request, reply) => {
    const { "accept-encoding": acceptEncoding = "", "if-none-match": known } = request.headers;
    const file = await getStaticFile({
      staticPath: STATIC_PATH,
      urlPath: request.url,
      acceptEncoding,
      disallowDevAssets: true,
    });
    if (file === null) throw new AppError(404, "not_found", "This path does not exist.");
    const isPlain = file.headers["content-encoding"] === undefined;
    const isGzipped = isPlain && /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(acceptEncoding);
    const coding = isGzipped ? "gzip" : (file.headers["content-encoding"] ?? "identity");
    const content = file.headers.etag ?? request.url;
    const etag = `"${content.replaceAll('"', "")}-${coding}"`;
    // A worker has the policy of the response it was loaded from.
    void vary(reply, "Accept-Encoding").headers({
      ...file.headers,
      etag,
      "content-security-policy": publicPage.policy,
      "cache-control": FOREVER,
    });
    if (isKnown(known, etag)) return reply.removeHeader("content-length").code(304).send();
    if (!isGzipped) return reply.send(file.content);
    const compressing = gzipped.get(content) ?? promisify<Buffer, Buffer>(gzip)(file.content);
    gzipped.set(content, compressing);
    const bytes = await compressing;
    return reply.headers({ "content-encoding": "gzip", "content-length": bytes.length }).send(bytes);
  });
}
