import fs from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { vary } from "../http/vary.ts";
import { wantsPage } from "../http/wants-page.ts";
import { PAGES_FOLDER, VERIFIER } from "./build.ts";
import type { PageFacts } from "./fill-page.ts";
import { Pages } from "./pages.ts";

/** Paths of pages, with the names of their pages in the build. */
const PAGES = { "/": "home", "/verify": "verify", "/verify/:code": "verify-code" };
const NOT_FOUND = "not-found";

/** Everything comes from this server, nothing is inline, and no page may frame ours. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  // WebAssembly hashes files; no text becomes a script.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Names of files under /assets/ hold a hash of their content. */
const FOREVER = "public, max-age=31536000, immutable";
/** Browsers ask again every time, and get 304 while the ETag is the same. */
const REVALIDATED = "no-cache";

/** Missing paths below these are answered in JSON, even for a browser. */
const NOT_PAGES = /^\/(api|graphql|graphiql|docs|healthz|readyz|assets)(\/|$)/;

export interface WebApp {
  /** The folder that ensureWebApp filled. */
  readonly folder: string;
  readonly pages: Pages;
}

/** The built web app, its pages with this deployment's facts. */
export function readWebApp(folder: string, facts: PageFacts): WebApp {
  return { folder, pages: Pages.read(path.join(folder, PAGES_FOLDER), facts) };
}

/** The pages and their assets. Without a build the pages answer 503. */
export async function webAppPlugin(app: FastifyInstance, { folder, pages }: WebApp): Promise<void> {
  const assets = path.join(folder, "assets");
  if (pages.names.length === 0 || !fs.existsSync(assets)) {
    app.log.warn("the web app is not built: its pages answer 503 until npm run build");
    for (const url of [...Object.keys(PAGES), "/guides", "/guides/*"])
      app.get(url, async (_request, reply) => sendNotBuilt(reply));
    return;
  }
  await app.register(fastifyStatic, {
    root: assets,
    prefix: "/assets/",
    // Each file is a route, so every other spelling of a path is unknown.
    wildcard: false,
    globIgnore: ["**/*.{br,gz}"],
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      reply.headers(pageHeaders(path.dirname(file) === assets ? FOREVER : REVALIDATED));
    },
  });
  for (const [url, name] of Object.entries({ ...PAGES, ...guidesOf(pages) }))
    app.get(url, (request, reply) => pages.send(request, reply.headers(pageHeaders(REVALIDATED)), name));
  app.get(`/${VERIFIER}`, (_request, reply) => {
    reply.header("content-disposition", `attachment; filename="${VERIFIER}"`);
    return reply.sendFile(VERIFIER, folder);
  });
}

/** Paths of guides, with their pages. Each is a separate route, so any other path is not found. */
function guidesOf(pages: Pages): Readonly<Record<string, string>> {
  const names = pages.names.filter((name) => name.startsWith("guides/"));
  return Object.fromEntries(names.map((name) => [name === "guides/index" ? "/guides" : `/${name}`, name]));
}

/** Answers a browser that asked for a missing page; returns null if the error must be JSON. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/** Without the page every 404 is JSON. */
export function notFoundPage({ pages }: WebApp): NotFoundPage {
  if (!pages.names.includes(NOT_FOUND)) return () => null;
  return (request, reply) => {
    if (!wantsPage(request) || NOT_PAGES.test(request.url)) return null;
    return pages.send(request, vary(reply, "Accept").code(404).headers(pageHeaders("no-store")), NOT_FOUND, true);
  };
}

/** Headers of pages and assets: a worker has the policy of the response it was loaded from. */
function pageHeaders(cacheControl: string): Record<string, string> {
  return { "content-security-policy": CONTENT_SECURITY_POLICY, "cache-control": cacheControl };
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type("text/plain; charset=utf-8").send("The web app is not built. Run: npm run build\n");
}
