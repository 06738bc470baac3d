import fs from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { vary } from "../http/vary.ts";
import { wantsPage } from "../http/wants-page.ts";
import { VERIFIER } from "./build.ts";

/** Paths of pages, with their files in the build. */
const PAGES = { "/": "home.html", "/verify": "verify.html", "/verify/:code": "verify.html" };

/** Everything comes from this server, nothing is inline, and no page may frame ours. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  // WebAssembly hashes files; no text becomes a script.
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
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

/** The pages and their assets, from a folder that ensureWebApp filled. Without that folder the pages answer 503. */
export async function webAppPlugin(app: FastifyInstance, { folder }: { readonly folder: string }): Promise<void> {
  const assets = path.join(folder, "assets");
  if (![assets, path.join(folder, "guides")].every((built) => fs.existsSync(built))) {
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
  const pages = { ...PAGES, ...guidesIn(folder) };
  for (const [url, file] of Object.entries(pages)) app.get(url, (_request, reply) => reply.sendFile(file, folder));
  app.get(`/${VERIFIER}`, (_request, reply) => {
    reply.header("content-disposition", `attachment; filename="${VERIFIER}"`);
    return reply.sendFile(VERIFIER, folder);
  });
}

/** Paths of guides, with their files in the build. Each is a separate route, so any other path is not found. */
function guidesIn(folder: string): Readonly<Record<string, string>> {
  const files = fs.readdirSync(path.join(folder, "guides")).filter((file) => file.endsWith(".html"));
  return Object.fromEntries(
    files.map((file) => [file === "index.html" ? "/guides" : `/guides/${path.parse(file).name}`, `guides/${file}`]),
  );
}

/** Answers a browser that asked for a missing page; returns null if the error must be JSON. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** Reads the page once. Without it every 404 is JSON. */
export function notFoundPage(folder: string): NotFoundPage {
  const file = path.join(folder, "not-found.html");
  if (!fs.existsSync(file)) return () => null;
  const page = fs.readFileSync(file);
  return (request, reply) => {
    if (!wantsPage(request) || NOT_PAGES.test(request.url)) return null;
    return vary(reply, "Accept").code(404).headers(pageHeaders("no-store")).type("text/html; charset=utf-8").send(page);
  };
}

/** Headers of pages and assets: a worker has the policy of the response it was loaded from. */
function pageHeaders(cacheControl: string): Record<string, string> {
  return { "content-security-policy": CONTENT_SECURITY_POLICY, "cache-control": cacheControl };
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type("text/plain; charset=utf-8").send("The web app is not built. Run: npm run build\n");
}
