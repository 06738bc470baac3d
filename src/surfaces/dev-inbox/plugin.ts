import fs from "node:fs";
import path from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import PostalMime from "postal-mime";
import { packageRoot } from "../../adapters/programs/package-root.ts";
import type { Config } from "../../config/config.ts";
import { AppError } from "../../errors/app-error.ts";
import { webAppFolder } from "../web/build.ts";
import { PAGES_FOLDER } from "../web/built-files.ts";
import { type Inbox, inboxOf } from "./inbox.ts";
import { listPage, mailPage, type ReadMail, withImages } from "./pages.ts";

const PAGE_POLICY = policy([
  "style-src 'self'",
  "font-src 'self'",
  "img-src data:",
  "frame-src 'self'",
  "frame-ancestors 'none'",
]);
/** Of a mail only its inline styles take effect; `sandbox` also holds when the mail is opened outside the frame. */
const MAIL_POLICY = policy(["style-src 'unsafe-inline'", "img-src data:", "frame-ancestors 'self'", "sandbox"]);

type OneMail = { Params: { id: string } };

export interface DevInboxOptions {
  readonly config: Config;
  /** The folder of the built web app, whose style the inbox has. It may not exist: then the inbox is plain. */
  readonly webApp?: string;
}

/** GET /dev/inbox, /dev/inbox/{id} and its parts: mail caught during development. Never registered in production. */
export async function devInboxPlugin(app: FastifyInstance, options: DevInboxOptions): Promise<void> {
  const { config, webApp = webAppFolder() } = options;
  const shell = { styleLinks: builtStyleLinks(webApp), mark: markElement() };
  const inbox = inboxOf(config);
  app.addHook("onRequest", async (request) => refuseOtherNames(request, config));

  app.get("/", async (_request, reply) => {
    const mails = await Promise.all(inbox.list().map(({ id }) => readMail(inbox, id).catch(() => null)));
    const kept = mails.filter((mail) => mail !== null);
    return reply
      .headers(PAGE_POLICY)
      .type("text/html; charset=utf-8")
      .send(listPage(kept, config.smtpUrl === null, shell));
  });
  app.get("/style.css", async (_request, reply) => reply.type("text/css; charset=utf-8").send(styleSheet()));
  app.get<OneMail>("/:id", async ({ params }, reply) => {
    const mail = await readMail(inbox, params.id);
    return reply.headers(PAGE_POLICY).type("text/html; charset=utf-8").send(mailPage(mail, shell));
  });
  app.get<OneMail>("/:id/html", async ({ params }, reply) => {
    const { mail } = await readMail(inbox, params.id);
    if (mail.html === undefined) throw notFound();
    return reply
      .headers({ ...MAIL_POLICY, "x-frame-options": "SAMEORIGIN" })
      .type("text/html; charset=utf-8")
      .send(withImages(mail));
  });
  app.get<OneMail>("/:id/raw", async ({ params }, reply) =>
    reply
      .header("content-disposition", `attachment; filename="${params.id.replace(/[^\w-]/g, "")}.eml"`)
      .type("message/rfc822")
      .send(rawMail(inbox, params.id)),
  );
}

function policy(directives: readonly string[]): Record<string, string> {
  const value = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", ...directives].join("; ");
  return { "content-security-policy": value };
}

/**
 * Nobody signs in here. So a foreign page could read the mail by making its own name point to this machine (DNS rebinding); other host names are
 * refused. Only Host counts: the page's script can write X-Forwarded-Host, which Fastify's own `hostname` believes behind a trusted proxy.
 */
function refuseOtherNames({ headers }: FastifyRequest, { publicUrl }: Config): void {
  const { hostname = "" } = URL.parse(`http://${headers.host ?? ""}`) ?? {};
  if (!["localhost", "127.0.0.1", "[::1]", new URL(publicUrl).hostname].includes(hostname)) throw notFound();
}

async function readMail(inbox: Inbox, id: string): Promise<ReadMail> {
  const raw = rawMail(inbox, id);
  const mail = await PostalMime.parse(raw);
  return { id, receivedAt: new Date(Number(id.slice(0, 13))), mail };
}

function rawMail(inbox: Inbox, id: string): Buffer {
  const raw = inbox.read(id);
  if (raw === null) throw notFound();
  return raw;
}

function notFound(): AppError {
  return new AppError(404, "not_found", "This path does not exist.");
}

function styleSheet(): string {
  return fs.readFileSync(path.join(packageRoot(), "src/surfaces/dev-inbox/inbox.css"), "utf8");
}

/** The mark of src/web/design/mark.svg, in the colour of its place. */
function markElement(): string {
  const svg = fs.readFileSync(path.join(packageRoot(), "src/web/design/mark.svg"), "utf8");
  const paths = svg.match(/<path[^>]*>/g) ?? [];
  return `<svg viewBox="0 0 64 64" width="28" height="28" fill="currentColor" aria-hidden="true">${paths.join("")}</svg>`;
}

/** What a page that has only text loads for its style in this build: style sheets, and the font that they ask for at once. */
function builtStyleLinks(webApp: string): string[] {
  const pages = path.join(webApp, PAGES_FOLDER);
  const plain = fs.existsSync(pages) && fs.readdirSync(pages).find((file) => file.startsWith("not-found."));
  if (!plain) return [];
  const links = fs.readFileSync(path.join(pages, plain), "utf8").match(/<link [^>]*>/g) ?? [];
  return links.filter((link) => /rel="stylesheet"|as="font"/.test(link));
}
