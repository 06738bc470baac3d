import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { encoded } from "../http/compression.ts";
import { isKnown } from "../http/entity-tag.ts";
import { vary } from "../http/vary.ts";
import { fillPage, type PageFacts } from "./fill-page.ts";

/** A page of the build in one language, with this deployment's facts. */
interface Page {
  readonly language: string;
  readonly text: string;
  readonly etag: string;
}

/** `home.pt-BR.html`: the name of a page and its language. */
const FILE = /^(.+)\.([a-zA-Z-]+)\.html$/;

/** Every page of the build, by its name, such as `home` or `guides/webhooks`, in each of its languages. They are read once and stay in memory. */
export class Pages {
  readonly #pages: ReadonlyMap<string, readonly Page[]>;

  private constructor(pages: ReadonlyMap<string, readonly Page[]>) {
    this.#pages = pages;
  }

  /** @param folder the folder of pages in a build; a missing folder has no pages */
  static read(folder: string, facts: PageFacts): Pages {
    const pages = new Map<string, Page[]>();
    const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
    for (const file of files.sort()) {
      const [, name, language] = FILE.exec(file.split(path.sep).join("/")) ?? [];
      if (name === undefined || language === undefined) continue;
      const text = fillPage(fs.readFileSync(path.join(folder, file), "utf8"), facts);
      const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
      pages.set(name, [...(pages.get(name) ?? []), { language, text, etag }]);
    }
    return new Pages(pages);
  }

  get names(): string[] {
    return [...this.#pages.keys()];
  }

  /**
   * Answers with a page in the language of `?lang=`, else in the one that the browser prefers (RFC 9110 §12.5.4), else in the first.
   * @param isMissing whether the page is shown in place of one that does not exist
   */
  async send(request: FastifyRequest, reply: FastifyReply, name: string, isMissing = false): Promise<FastifyReply> {
    const all = this.#pages.get(name) ?? [];
    const page = choose(all, request);
    if (page === undefined) throw new Error(`there is no page ${name}`);
    if (all.length > 1) vary(reply, "Accept-Language");
    reply.header("content-language", page.language);
    if (!isMissing) {
      reply.header("etag", page.etag);
      if (isKnown(request.headers["if-none-match"], page.etag)) return reply.code(304).send();
    }
    const body = await encoded(request, reply, page.text);
    return reply.type("text/html; charset=utf-8").send(body);
  }
}

function choose(pages: readonly Page[], request: FastifyRequest): Page | undefined {
  const [first] = pages;
  if (first === undefined || pages.length === 1) return first;
  const { lang } = request.query as { readonly lang?: unknown };
  const primary = (tag: string) => tag.toLowerCase().split("-")[0];
  const find = (tag: string) => pages.find(({ language }) => primary(language) === primary(tag));
  // `en-GB` or `pt` must find a page, too, which a negotiation by whole tags would not.
  const preferred = new Negotiator(request).languages();
  const tags = [...(typeof lang === "string" ? [lang] : []), ...preferred];
  for (const tag of tags) {
    const found = find(tag);
    if (found !== undefined) return found;
  }
  return first;
}
