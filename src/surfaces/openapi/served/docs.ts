import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { packageRoot } from "../../../package-root.ts";
import { isKnown } from "../../http/entity-tag.ts";
import { noSuchPath, sendError } from "../../http/errors.ts";
import { vary } from "../../http/vary.ts";
import { wantsPage } from "../../http/wants-page.ts";
import type { RestSurface } from "../../rest/surface.ts";

const PAGE_PATH = "/docs";
const SCALAR_PATH = "/docs/scalar.js";
const START_PATH = "/docs/start.js";

/** The page loads nothing from other servers. */
const CONFIGURATION = {
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  defaultOpenAllTags: true,
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "json",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Selo API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<script src="${SCALAR_PATH}"></script>
<script src="${START_PATH}"></script>
</body>
</html>
`;

/** All scripts are files of this server; the reference writes inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A file kept ready to send: plain, and compressed once. */
interface StaticText {
  readonly contentType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** The part of a surface that is shown here. */
export type DocumentedSurface = Pick<RestSurface, "prefix" | "errors"> & {
  readonly document: Pick<RestSurface["document"], "file" | "title">;
  readonly credentials: { readonly securityScheme: { readonly name: string } };
};

/**
 * GET /openapi.json and the documents of the other surfaces, and the reference made from them, with "Test Request", at /docs.
 * All are public.
 * @param folder the folder of the documents' files
 */
export async function docsPlugin(
  app: FastifyInstance,
  surfaces: readonly DocumentedSurface[],
  folder = packageRoot(),
): Promise<void> {
  const fileOf = ({ document }: DocumentedSurface) => path.join(folder, document.file);
  // A document is missing only once: while `npm run generate` makes it for the first time, from the answers of this gateway.
  const [there, missing] = [true, false].map((exists) =>
    surfaces.filter((each) => fs.existsSync(fileOf(each)) === exists),
  );
  for (const { document } of missing ?? []) app.log.warn(`${document.file} is missing: run npm run generate`);
  if (there === undefined || there.length === 0) return;
  const documents = there.map((surface): [string, () => Promise<StaticText>] => [
    addressOf(surface),
    async () => staticText("application/json; charset=utf-8", fs.readFileSync(fileOf(surface), "utf8")),
  ]);
  const files: Readonly<Record<string, () => Promise<StaticText>>> = {
    ...Object.fromEntries(documents),
    [PAGE_PATH]: async () => staticText("text/html; charset=utf-8", PAGE),
    [SCALAR_PATH]: async () => staticText("text/javascript; charset=utf-8", await scalarScript()),
    [START_PATH]: async () =>
      staticText(
        "text/javascript; charset=utf-8",
        `Scalar.createApiReference("#app", ${JSON.stringify(configurationOf(there))});\n`,
      ),
  };
  // A browser that opens the address of an API is redirected to its reference.
  for (const { prefix, errors } of there)
    app.get(prefix, async (request, reply) => {
      vary(reply, "Accept");
      return wantsPage(request) ? reply.redirect(PAGE_PATH, 303) : sendError(reply, noSuchPath(), errors);
    });
  for (const [url, make] of Object.entries(files)) {
    // Made at the first request: most gateways never serve it, and the script is large.
    let made: Promise<StaticText> | null = null;
    app.get(url, async (request, reply) => {
      made ??= make().catch((error: unknown) => {
        made = null;
        throw error;
      });
      return sendStatic(request, reply, await made);
    });
  }
}

const addressOf = ({ document }: DocumentedSurface) => `/${path.basename(document.file)}`;

/** The configuration of the reference: a single document directly, several documents as a list to choose from. */
function configurationOf(surfaces: readonly DocumentedSurface[]): object {
  const configurations = surfaces.map((surface) => ({
    url: addressOf(surface),
    ...CONFIGURATION,
    authentication: { preferredSecurityScheme: surface.credentials.securityScheme.name },
  }));
  if (configurations.length === 1) return configurations[0] as object;
  return surfaces.map(({ document }, place) => ({
    ...configurations[place],
    title: document.title,
    slug: path.basename(document.file, ".json"),
  }));
}

async function staticText(contentType: string, text: string): Promise<StaticText> {
  const plain = Buffer.from(text, "utf8");
  const etag = createHash("sha256").update(plain).digest("base64url");
  return { contentType, etag, plain, gzipped: await promisify(gzip)(plain) };
}

function sendStatic(request: FastifyRequest, reply: FastifyReply, file: StaticText): FastifyReply {
  const isGzipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(request.headers["accept-encoding"] ?? "");
  const etag = `"${file.etag}${isGzipped ? "-gzip" : ""}"`;
  void reply.headers({
    "content-security-policy": CONTENT_SECURITY_POLICY,
    // Browsers may keep it but must ask again each time; 304 answers them.
    "cache-control": "no-cache",
    etag,
    vary: "accept-encoding",
  });
  if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (isGzipped) void reply.header("content-encoding", "gzip");
  return reply.type(file.contentType).send(isGzipped ? file.gzipped : file.plain);
}

/**
 * The script of the reference. The plugin contains it and gives it out only by HTTP, with a page whose inline
 * script a policy would have to allow. So we ask the plugin once for its script, and the page is ours.
 */
async function scalarScript(): Promise<string> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const app = fastify();
  await app.register(scalar, { routePrefix: "/", configuration: { url: "/openapi.json" } });
  const { statusCode, body } = await app.inject("/js/scalar.js");
  await app.close();
  if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its script`);
  return body;
}
