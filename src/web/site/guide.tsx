import type { ReactElement } from "react";
import type { StaticPage } from "./static-page.ts";

/** A guide, rendered from Markdown. */
export interface Guide {
  /** `index`, or the name in its path. */
  readonly name: string;
  /** Such as /guides/webhooks. */
  readonly path: string;
  readonly title: string;
  /** HTML without scripts and styles, made by src/surfaces/web/markdown.ts. */
  readonly html: string;
}

/** Guides are written in English. */
export function guidePage(guide: Guide, _all: readonly Guide[]): StaticPage {
  return {
    name: `guides/${guide.name}`,
    section: "guides",
    languages: ["en"],
    title: () => `${guide.title} · Selo`,
    description: () => `${guide.title}: a guide to Selo`,
    content: (): ReactElement => (
      <div className="page guide">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, rendered without raw HTML */}
        <article className="text" dangerouslySetInnerHTML={{ __html: guide.html }} />
      </div>
    ),
  };
}
