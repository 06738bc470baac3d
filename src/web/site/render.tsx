/** Renders pages at the build (src/surfaces/web/build-pages.ts), as HTML without styles or scripts of its own. */
import type { ReactElement } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { gallery } from "../gallery/gallery.tsx";
import { readerPage } from "../gallery/reader-page.tsx";
import { PLACEHOLDERS } from "../shell/facts.ts";
import { Bar, Foot, Frame } from "../shell/frame.tsx";
import { LANGUAGES, type Language } from "../shell/language.ts";
import { signPage } from "../sign/static.tsx";
import { verifyPages } from "../verify/static.tsx";
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
  /** The document that it is put into: page.html, or that of a page with an application. */
  readonly template: "page" | "verify" | "sign";
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

export function renderPages(
  guides: readonly Guide[],
  groups: readonly GuideGroup[],
  highlight: Highlight,
): {
  readonly pages: RenderedPage[];
  readonly list: PageEntry[];
  /** Begin and end of the reference of the API, which is written in English alone. */
  readonly bar: string;
  readonly foot: string;
} {
  const site = [
    landing,
    trust,
    status,
    notFound,
    gallery,
    readerPage,
    ...guides.map((guide) => guidePage(guide, guides, groups)),
  ];
  const pages = [
    ...site.flatMap((page) => inLanguages(page, "page", renderToStaticMarkup, highlight)),
    // With the marks by which React finds its elements again in the browser.
    ...verifyPages.flatMap((page) => inLanguages(page, "verify", renderToString, highlight)),
    ...inLanguages(signPage, "sign", renderToString, highlight),
  ];
  const list = [...site, ...verifyPages, signPage].map((page) => ({
    name: page.name,
    path: pathOf(page),
    languages: page.languages ?? LANGUAGES,
    isListed: !page.isPrivate,
  }));
  return {
    pages,
    list,
    bar: renderToStaticMarkup(<Bar language="en" languages={["en"]} section="api" />),
    foot: renderToStaticMarkup(<Foot language="en" facts={PLACEHOLDERS} />),
  };
}

function inLanguages(
  page: StaticPage,
  template: RenderedPage["template"],
  render: (element: ReactElement) => string,
  highlight: Highlight,
): RenderedPage[] {
  const { languages = LANGUAGES, section } = page;
  return languages.map((language) => ({
    file: `${page.name}.${language}.html`,
    language,
    template,
    head: renderToStaticMarkup(
      <Head page={page} language={language} languages={languages} withFacts={template !== "page"} />,
    ),
    body: render(
      template === "page" ? (
        <Frame language={language} facts={PLACEHOLDERS} languages={languages} {...(section ? { section } : {})}>
          {page.content(language, PLACEHOLDERS, highlight)}
        </Frame>
      ) : (
        page.content(language, PLACEHOLDERS, highlight)
      ),
    ),
  }));
}
