import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { encoded } from "../http/compression.ts";
import { isKnown } from "../http/entity-tag.ts";
import { vary } from "../http/vary.ts";
import { PAGE_LIST, type PageEntry } from "./built-files.ts";
import { fillPage, type PageFacts } from "./fill-page.ts";

/** A page of the build in one language. */
interface Page {
  readonly language: string;
  /** As the build has it, without facts. */
  readonly template: string;
}

/** A page with this deployment's facts. */
interface Filled {
  readonly text: string;
  readonly etag: string;
}

/** How a page is sent. */
interface SendOptions {
  /** What is true at this moment alone. Such an answer has no ETag. The same object again is answered with the same text. */
  readonly facts?: (language: string) => PageFacts;
  /** Whether the page is shown in place of one that does not exist. */
  readonly isMissing?: boolean;
  /** Whether a browser may keep the page, and ask whether it is still the same; true by default. */
  readonly isKept?: boolean;
}

/** Every page of the build, by its name, such as `home` or `guides/webhooks`, in each of its languages. They are read once and stay in memory; the facts are put in when a page is first asked for. */
export class Pages {
  /** The pages that there are. */
  readonly list: readonly PageEntry[];
  readonly #pages: ReadonlyMap<string, readonly Page[]>;
  #facts: PageFacts;
  #filled = new WeakMap<Page, Filled>();
  /** Texts with facts of a moment, by the object that holds these facts. */
  readonly #texts = new WeakMap<PageFacts, string>();

  private constructor(list: readonly PageEntry[], pages: ReadonlyMap<string, readonly Page[]>, facts: PageFacts) {
    this.list = list;
    this.#pages = pages;
    this.#facts = facts;
  }

  /** @param folder the folder of pages in a build; a missing folder has no pages */
  static read(folder: string, facts: PageFacts): Pages {
    const file = path.join(folder, PAGE_LIST);
    const list = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as readonly PageEntry[]) : [];
    const pages = new Map(
      list.map(({ name, languages }) => [
        name,
        languages.map((language) => ({
          language,
          template: fs.readFileSync(path.join(folder, `${name}.${language}.html`), "utf8"),
        })),
      ]),
    );
    return new Pages(list, pages, facts);
  }

  /** The value of a fact; null without one. */
  fact(name: string): string | null {
    const value = this.#facts[name];
    return typeof value === "string" ? value : null;
  }

  /** Puts in a fact that was not known when the pages were read. */
  learn(facts: PageFacts): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#filled = new WeakMap();
  }

  /** Answers with a page in the language of `?lang=`, else in the one that the browser prefers (RFC 9110 §12.5.4), else in the first. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    { facts, isMissing = false, isKept: mayKeep = true }: SendOptions = {},
  ): Promise<FastifyReply> {
    const all = this.#pages.get(name) ?? [];
    const page = choose(all, request);
    if (page === undefined) throw new Error(`there is no page ${name}`);
    if (all.length > 1) vary(reply, "Accept-Language");
    reply.header("content-language", page.language);
    if (facts !== undefined) return sendText(request, reply, this.#textOf(page, facts(page.language)));
    const { text, etag } = this.#filledOf(page);
    if (mayKeep && !isMissing) {
      reply.header("etag", etag);
      // A 304 names the same headers as the page would: a cache takes them over, and must not hand a coding to those who cannot read it.
      if (isKnown(request.headers["if-none-match"], etag)) return vary(reply, "Accept-Encoding").code(304).send();
    }
    return sendText(request, reply, text);
  }

  #filledOf(page: Page): Filled {
    const known = this.#filled.get(page);
    if (known !== undefined) return known;
    const text = fillPage(page.template, this.#facts);
    // Weak: each coding has other bytes (RFC 9110 §8.8.1).
    const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
    this.#filled.set(page, { text, etag });
    return { text, etag };
  }

  #textOf(page: Page, facts: PageFacts): string {
    const known = this.#texts.get(facts);
    if (known !== undefined) return known;
    const text = fillPage(page.template, { ...this.#facts, ...facts });
    this.#texts.set(facts, text);
    return text;
  }
}

async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const body = await encoded(request, reply, text);
  return reply.type("text/html; charset=utf-8").send(body);
}

function choose(pages: readonly Page[], request: FastifyRequest): Page | undefined {
  const [first] = pages;
  if (first === undefined || pages.length === 1) return first;
  // A path that does not decode has no query.
  const { lang } = (request.query ?? {}) as { readonly lang?: unknown };
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
