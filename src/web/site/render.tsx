/** Renders pages at the build (src/surfaces/web/build-pages.ts), as HTML without styles or scripts of its own. */
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { PLACEHOLDERS } from "../shell/facts.ts";
import { Bar, Foot, Frame } from "../shell/frame.tsx";
import { LANGUAGES, type Language } from "../shell/language.ts";
import type { Highlight } from "./code.tsx";
import { type Guide, type GuideGroup, guidePage } from "./guide.tsx";
import { Head } from "./head.tsx";
import { landing } from "./landing.tsx";
import { notFound } from "./not-found.tsx";
import { pathOf, type StaticPage } from "./static-page.ts";
import { status } from "./status.tsx";
import { trust } from "./trust.tsx";

/** A page in one language. */
export interface RenderedPage {
  /** Below the folder of pages, such as `home.en.html`. */
  readonly file: string;
  readonly language: Language;
  /** The document that it is put into: page.html, or that of its folder, such as verify/page.html. */
  readonly document: string;
  readonly head: string;
  readonly body: string;
}

/** A page as the gateway lists it: src/surfaces/web/build.ts. */
interface PageEntry {
  readonly name: string;
  readonly path: string | null;
  readonly languages: readonly Language[];
  readonly isListed: boolean;
}

/** The document of pages whose folder has none. */
const COMMON_DOCUMENT = "page.html";

/** The pages of each folder beside this one. */
const FOLDERS = import.meta.glob<{ readonly pages: readonly StaticPage[] }>("../*/static.tsx", { eager: true });

/** @param documents the documents that there are */
export function renderPages(
  guides: readonly Guide[],
  groups: readonly GuideGroup[],
  highlight: Highlight,
  documents: ReadonlyMap<string, unknown>,
): {
  readonly pages: RenderedPage[];
  readonly list: PageEntry[];
  /** Begin and end of the reference of the API, which is written in English alone. */
  readonly bar: string;
  readonly foot: string;
} {
  const site = [landing, trust, status, notFound, ...guides.map((guide) => guidePage(guide, guides, groups))];
  const all = [
    ...site.map((page) => ({ page, document: COMMON_DOCUMENT })),
    ...Object.entries(FOLDERS).flatMap(([file, { pages }]) => {
      const own = file.replace("../", "").replace("static.tsx", "page.html");
      return pages.map((page) => ({ page, document: documents.has(own) ? own : COMMON_DOCUMENT }));
    }),
  ];
  const list = all.map(({ page }) => ({
    name: page.name,
    path: pathOf(page),
    languages: page.languages ?? LANGUAGES,
    isListed: !page.isPrivate,
  }));
  return {
    pages: all.flatMap(({ page, document }) => inLanguages(page, document, highlight)),
    list,
    bar: renderToStaticMarkup(<Bar language="en" languages={["en"]} section="api" />),
    foot: renderToStaticMarkup(<Foot language="en" facts={PLACEHOLDERS} />),
  };
}

function inLanguages(page: StaticPage, document: string, highlight: Highlight): RenderedPage[] {
  const { languages = LANGUAGES, section } = page;
  const hasApplication = document !== COMMON_DOCUMENT;
  return languages.map((language) => {
    const content = page.content(language, PLACEHOLDERS, highlight);
    return {
      file: `${page.name}.${language}.html`,
      language,
      document,
      head: renderToStaticMarkup(
        <Head page={page} language={language} languages={languages} withFacts={hasApplication} />,
      ),
      body: hasApplication
        ? // With the marks by which React finds its elements again in the browser.
          renderToString(content)
        : renderToStaticMarkup(
            <Frame language={language} facts={PLACEHOLDERS} languages={languages} {...(section ? { section } : {})}>
              {content}
            </Frame>,
          ),
    };
  });
}
