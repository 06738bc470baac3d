import fs from "node:fs";
import path from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import { packageRoot } from "../../../adapters/programs/package-root.ts";
import { noSuchPath, sendError } from "../../http/errors.ts";
import { escapeHtml } from "../../http/escape-html.ts";
import { vary } from "../../http/vary.ts";
import { wantsPage } from "../../http/wants-page.ts";
import type { RestSurface, SurfaceDocument } from "../../rest/surface.ts";
import { webAppFolder } from "../../web/build.ts";
import { fillPage, type PageFacts } from "../../web/fill-page.ts";
import type { DescribedApi } from "./described-api.ts";
import { type ReferencePage, type ReferenceSource, referencePages } from "./reference.ts";
import { type StaticText, sendStatic, staticText } from "./static-text.ts";

const PAGE_PATH = "/docs";
/** The built page that contains each page of the reference, in the folder of the web app. */
const TEMPLATE = "docs.html";
/** The placeholders of title, links at the side, and content in the template. */
const PLACES = { title: "<title>Selo API</title>", navigation: "<!-- navigation -->", main: "<!-- main -->" };

/** The part of a surface that is shown here. */
export type DocumentedSurface = Pick<RestSurface, "prefix" | "errors"> & {
  readonly document: Pick<SurfaceDocument, "file" | "title">;
};

export interface DocsOptions {
  /** The public address of this deployment, which examples name. */
  readonly publicUrl: string;
  /** What the end of each page says of this deployment. */
  readonly facts: PageFacts;
  /** The folder of the documents' files. */
  readonly folder?: string;
  /** The folder of the built web app. */
  readonly webApp?: string;
}

/**
 * GET /openapi.json and the documents of the other surfaces, each at openapi.json below its prefix as well, /graphql/schema.graphql, and the reference made from the documents at /docs: pages of HTML that need no script.
 * All are public. The reference of the first surface begins at /docs, each other one at /docs/{name of its document}.
 */
export async function docsPlugin(
  app: FastifyInstance,
  surfaces: readonly DocumentedSurface[],
  { publicUrl, facts, folder = packageRoot(), webApp = webAppFolder() }: DocsOptions,
): Promise<void> {
  const fileOf = ({ document }: DocumentedSurface) => path.join(folder, document.file);
  // A document is missing only once: while `npm run generate` makes it for the first time, from the answers of this gateway.
  const [there = [], missing = []] = [true, false].map((exists) =>
    surfaces.filter((each) => fs.existsSync(fileOf(each)) === exists),
  );
  for (const { document } of missing) app.log.warn(`${document.file} is missing: run npm run generate`);
  if (there.length === 0) return;

  for (const surface of there) {
    const { prefix, errors } = surface;
    const document = once(async () =>
      staticText("application/json; charset=utf-8", fs.readFileSync(fileOf(surface), "utf8")),
    );
    for (const address of [addressOf(surface), `${prefix}/openapi.json`])
      app.get(address, async (request, reply) => sendStatic(request, reply, await document()));
    // A browser that opens the address of an API is redirected to its reference.
    app.get(prefix, async (request, reply) => {
      vary(reply, "Accept");
      return wantsPage(request)
        ? reply.redirect(pagePathOf(there, surface), 303)
        : sendError(reply, noSuchPath(), errors);
    });
  }

  const schema = path.join(folder, "schema/schema.graphql");
  if (fs.existsSync(schema)) {
    const text = once(async () => staticText("text/plain; charset=utf-8", fs.readFileSync(schema, "utf8")));
    app.get("/graphql/schema.graphql", async (request, reply) => sendStatic(request, reply, await text()));
  }

  // Made at the first request: most gateways never serve them.
  const pages = once(async () => pagesOf(there, fileOf, { publicUrl, facts, webApp }));
  app.get(PAGE_PATH, async (request, reply) => {
    const page = (await pages())?.get(PAGE_PATH);
    return page === undefined ? sendNotBuilt(reply) : sendStatic(request, reply, page);
  });
  app.get<{ Params: { readonly "*": string } }>(`${PAGE_PATH}/*`, async (request, reply) => {
    const made = await pages();
    if (made === null) return sendNotBuilt(reply);
    const asked = `${PAGE_PATH}/${request.params["*"]}`;
    const named = asked.replace(/\/$/, "");
    const page = made.get(named);
    if (page === undefined) return reply.callNotFound();
    return named === asked ? sendStatic(request, reply, page) : reply.redirect(named, 308);
  });
}

const addressOf = ({ document }: DocumentedSurface) => `/${path.basename(document.file)}`;

/** The first page of a surface's reference. */
function pagePathOf(there: readonly DocumentedSurface[], surface: DocumentedSurface): string {
  return surface === there[0] ? PAGE_PATH : `${PAGE_PATH}/${path.basename(surface.document.file, ".json")}`;
}

/** All pages by their paths; null if the web app is not built, which holds the template. */
function pagesOf(
  there: readonly DocumentedSurface[],
  fileOf: (surface: DocumentedSurface) => string,
  { publicUrl, facts, webApp }: Required<Omit<DocsOptions, "folder">>,
): ReadonlyMap<string, StaticText> | null {
  const file = path.join(webApp, TEMPLATE);
  if (!fs.existsSync(file)) return null;
  const template = fillPage(fs.readFileSync(file, "utf8"), facts);
  for (const place of Object.values(PLACES))
    if (!template.includes(place)) throw new Error(`${TEMPLATE} lacks ${place}`);
  const sources = there.map(
    (surface): ReferenceSource => ({
      api: JSON.parse(fs.readFileSync(fileOf(surface), "utf8")) as DescribedApi,
      title: surface.document.title,
      path: pagePathOf(there, surface),
      documentPath: addressOf(surface),
      publicUrl,
    }),
  );
  const pages = sources.flatMap((source) => referencePages(source, sources));
  return new Map(
    pages.map((page) => [page.path, staticText("text/html; charset=utf-8", filled(template, page, publicUrl))]),
  );
}

function filled(
  template: string,
  { path: address, title, navigation, main }: ReferencePage,
  publicUrl: string,
): string {
  // Functions, so that `$&` in a description stays as it is.
  return template
    .replace(PLACES.title, () => head(title, publicUrl, address))
    .replace(PLACES.navigation, () => navigation)
    .replace(PLACES.main, () => main);
}

const DESCRIPTION = "Every operation of the Selo API: its input, its answers, its errors, and requests to copy.";

/** What browsers, search engines and messengers read of a page, as src/web/site/head.tsx says it of the others. */
function head(title: string, publicUrl: string, address: string): string {
  const whole = escapeHtml(publicUrl + address);
  return [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${DESCRIPTION}">`,
    `<link rel="canonical" href="${whole}">`,
    `<link rel="apple-touch-icon" href="/apple-touch-icon.png">`,
    `<meta property="og:type" content="website">`,
    `<meta property="og:site_name" content="Selo">`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    `<meta property="og:description" content="${DESCRIPTION}">`,
    `<meta property="og:url" content="${whole}">`,
    `<meta property="og:image" content="${escapeHtml(publicUrl)}/share.png">`,
  ].join("");
}

/** Makes a value at the first call; after a failure the next call tries again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type("text/plain; charset=utf-8").send("The web app is not built. Run: npm run build\n");
}
