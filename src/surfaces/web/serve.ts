import fs from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import QRCode from "qrcode";
import { AppError } from "../../errors/app-error.ts";
import { isFromOwnMachine } from "../http/own-machine.ts";
import { vary } from "../http/vary.ts";
import { wantsPage } from "../http/wants-page.ts";
import { FILES_FOLDER, PAGES_FOLDER, VERIFIER } from "./built-files.ts";
import { faultFacts } from "./fault-facts.ts";
import type { PageFacts } from "./fill-page.ts";
import { robotsText, sitemap } from "./for-crawlers.ts";
import { Pages } from "./pages.ts";
import type { SampleCard } from "./sample-card.ts";
import type { ServedPage, ServicePages } from "./service-pages.ts";
import { type ReadFaults, type ReadReadiness, statusFacts } from "./status-page.ts";

/** The pages that this file knows by name; the build lists all others with their paths. */
const HOME = "home";
const NOT_FOUND = "not-found";
const STATUS = "status";
const GUIDES = "guides/";
/** Paths that say without a build what to do, as those of services' pages do. */
const PAGE_PATHS = ["/", "/trust", "/status", "/guides", "/guides/*"];
/** Pages of development alone, at /dev/{name}. */
const DEVELOPMENT = ["design", "reader"];

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
/** Icons and what crawlers read may be a day old. */
const FOR_A_DAY = "public, max-age=86400";

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

export interface WebAppOptions extends WebApp {
  /** The checks of /readyz, for the page that says in words whether the service works. */
  readonly readiness: ReadReadiness;
  /** What failed in the last 90 days, for the same page. */
  readonly faults: ReadFaults;
  /** The tokens in the examples of guides, for a developer on this machine. Null in production: no page contains a token. */
  readonly demo: (() => PageFacts | null) | null;
  /** The card of the home page, which is true at each request. */
  readonly sample: Pick<SampleCard, "refresh">;
  readonly ofServices: readonly ServicePages[];
}

/** The pages and their assets. Without a build the pages answer 503. */
export async function webAppPlugin(
  app: FastifyInstance,
  { folder, pages, readiness, faults, demo, sample, ofServices }: WebAppOptions,
): Promise<void> {
  const assets = path.join(folder, "assets");
  const served = ofServices.flatMap(({ list }) => list);
  if (pages.list.length === 0 || !fs.existsSync(assets)) {
    app.log.warn("the web app is not built: its pages answer 503 until npm run build");
    for (const url of [...PAGE_PATHS, ...served.map((page) => page.path)])
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
    // No file here is worth resuming, and a range beyond the end would count as a server error: the plugin throws its own error.
    acceptRanges: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      if (path.dirname(file) === assets) reply.headers(pageHeaders(FOREVER));
      else reply.headers(pageHeaders(file.startsWith(path.join(folder, FILES_FOLDER)) ? FOR_A_DAY : REVALIDATED));
    },
  });
  const publicUrl = pages.fact("public_url") ?? "";
  const statusNow = statusFactsNow({ readiness, faults, ofServices });
  for (const { name, path: url } of pages.list) {
    if (url === null) continue;
    const own = served.find((page) => page.path === url);
    app.get(url, async (request, reply) => {
      if (name === STATUS) return sendStatus(request, reply, pages, statusNow);
      if (own?.isPrivate) return sendPrivate(request, reply, pages, name);
      if (name === HOME) await sample.refresh();
      if (name.startsWith(GUIDES) && demo !== null && isFromOwnMachine(request, publicUrl)) {
        const facts = demo() ?? {};
        // No cache may hand the page with a token to another reader.
        return pages.send(request, reply.headers(pageHeaders("no-store")), name, { facts: () => facts });
      }
      return pages.send(request, reply.headers({ ...pageHeaders(REVALIDATED), ...preloads(request, own) }), name);
    });
    // A slash at the end is a habit of people and of servers. Where a page has a parameter after the slash, it is the page of an empty one.
    const takesParameter = pages.list.some((other) => other.path?.startsWith(`${url}/:`) || other.path === `${url}/*`);
    if (url !== "/" && !takesParameter && !url.endsWith("/*")) redirectWithoutSlash(app, url);
  }
  app.get(`/${VERIFIER}`, (_request, reply) => {
    reply.header("content-disposition", `attachment; filename="${VERIFIER}"`);
    return reply.sendFile(VERIFIER, folder);
  });
  serveFiles(app, path.join(folder, FILES_FOLDER));
  serveSampleCode(app, pages, sample);
  serveText(app, "/robots.txt", "text/plain; charset=utf-8", robotsText(publicUrl));
  serveText(app, "/sitemap.xml", "application/xml; charset=utf-8", sitemap(publicUrl, pages.list));
}

/** The mode is that of scripts: without it, browsers would ask twice. */
function preloads(request: FastifyRequest, page: ServedPage | undefined): { readonly link?: string } {
  const paths = page?.preloads?.(request.params as Readonly<Record<string, string>>) ?? [];
  if (paths.length === 0) return {};
  return { link: paths.map((each) => `<${each}>; rel=preload; as=fetch; crossorigin=anonymous`).join(", ") };
}

/** GET /dev/design: the components of the pages, and GET /dev/reader: the reader of PDFs. Never registered in production. */
export async function designPlugin(app: FastifyInstance, { pages }: WebApp): Promise<void> {
  for (const name of DEVELOPMENT)
    if (pages.list.some((page) => page.name === name))
      app.get(`/dev/${name}`, (request, reply) => pages.send(request, reply.headers(pageHeaders(REVALIDATED)), name));
}

/** Leads from the path with a slash at its end to the path of the page, with the same query. */
function redirectWithoutSlash(app: FastifyInstance, url: string): void {
  app.get(`${url}/`, (request, reply) => reply.redirect(request.url.replace(/\/(?=\?|$)/, ""), 308));
}

/**
 * 200 also when something fails: the page is for people and did its work, and proxies replace what comes with 503. Programs ask /readyz, which
 * answers 503.
 */
async function sendStatus(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: Pages,
  factsNow: FactsNow,
): Promise<FastifyReply> {
  return pages.send(request, reply.headers(pageHeaders("no-store")), STATUS, { facts: await factsNow(request.log) });
}

type FactsNow = (log: FastifyBaseLogger) => Promise<(language: string) => PageFacts>;

/** What /status says now. Facts are made once for a reading and a language: anyone may ask for the page, and ask often. */
function statusFactsNow({
  readiness,
  faults,
  ofServices,
}: Pick<WebAppOptions, "readiness" | "faults" | "ofServices">): FactsNow {
  const needs = Object.assign({}, ...ofServices.map((pages) => pages.needs)) as ServicePages["needs"];
  let latest: { readonly read: readonly unknown[]; readonly facts: Map<string, PageFacts> } = {
    read: [],
    facts: new Map(),
  };
  return async (log) => {
    const [now, record] = await Promise.all([readiness(log), faults(log)]);
    if (latest.read[0] !== now || latest.read[1] !== record) latest = { read: [now, record], facts: new Map() };
    const { facts } = latest;
    return (language) => {
      const known = facts.get(language) ?? {
        ...statusFacts(now, language, needs),
        ...faultFacts(record, language, needs),
      };
      facts.set(language, known);
      return known;
    };
  };
}

/** A page whose address is passed on to nobody. */
function sendPrivate(request: FastifyRequest, reply: FastifyReply, pages: Pages, name: string): Promise<FastifyReply> {
  return pages.send(request, reply.headers({ ...pageHeaders("no-store"), "referrer-policy": "no-referrer" }), name, {
    isKept: false,
  });
}

/** Icons at their usual addresses, and the sample to try. */
function serveFiles(app: FastifyInstance, folder: string): void {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const { name, parentPath } of files) {
    const file = path.relative(folder, path.join(parentPath, name));
    app.get(`/${file.split(path.sep).join("/")}`, (_request, reply) => reply.sendFile(file, folder));
  }
}

/** The QR Code of the sample proof that the home page shows. */
function serveSampleCode(app: FastifyInstance, pages: Pages, sample: WebAppOptions["sample"]): void {
  app.get("/sample/code.svg", async (_request, reply) => {
    await sample.refresh();
    const code = pages.fact("sample_code");
    if (code === null) throw new AppError(404, "not_found", "this deployment has no sample proof");
    const svg = await QRCode.toString(`${pages.fact("public_url")}/verify/${code}`, { type: "svg", margin: 2 });
    return reply.headers(pageHeaders(REVALIDATED)).type("image/svg+xml").send(svg);
  });
}

function serveText(app: FastifyInstance, url: string, type: string, text: string): void {
  app.get(url, (_request, reply) => reply.type(type).header("cache-control", FOR_A_DAY).send(text));
}

/** Answers a browser that asked for a missing page; returns null if the error must be JSON. */
export type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/** Without the page every 404 is JSON. */
export function notFoundPage({ pages }: WebApp): NotFoundPage {
  if (!pages.list.some(({ name }) => name === NOT_FOUND)) return () => null;
  return (request, reply) => {
    if (!wantsPage(request) || NOT_PAGES.test(request.url)) return null;
    return pages.send(request, vary(reply, "Accept").code(404).headers(pageHeaders("no-store")), NOT_FOUND, {
      isMissing: true,
    });
  };
}

/** Headers of pages and assets: a worker has the policy of the response it was loaded from. */
function pageHeaders(cacheControl: string): Record<string, string> {
  return { "content-security-policy": CONTENT_SECURITY_POLICY, "cache-control": cacheControl };
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type("text/plain; charset=utf-8").send("The web app is not built. Run: npm run build\n");
}
