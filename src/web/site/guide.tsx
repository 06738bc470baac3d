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

/** Guides that belong together, and pages beside them. */
export interface GuideGroup {
  readonly title: string;
  readonly links: readonly Link[];
}

interface Link {
  readonly path: string;
  readonly title: string;
}

/** Guides are written in English. */
export function guidePage(guide: Guide, all: readonly Guide[], groups: readonly GuideGroup[]): StaticPage {
  const isList = guide.name === "index";
  return {
    name: `guides/${guide.name}`,
    ...(isList ? { path: "/guides" } : {}),
    section: "guides",
    languages: ["en"],
    title: () => (isList ? "Guides · Selo" : `${guide.title} · Selo guides`),
    description: () => firstSentences(guide.html),
    content: (): ReactElement => (
      <div className="page document">
        <Menu guide={guide} groups={groups} />
        <div className="text">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own Markdown, rendered without raw HTML */}
          <article className="text" dangerouslySetInnerHTML={{ __html: guide.html }} />
          <Pager guide={guide} all={all} groups={groups} />
        </div>
      </div>
    ),
  };
}

/** The groups: beside the text, or folded above it on a phone. */
function Menu({ guide, groups }: { readonly guide: Guide; readonly groups: readonly GuideGroup[] }): ReactElement {
  const group = groups.find(({ links }) => links.some(({ path }) => path === guide.path));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: beside a text it scrolls where it is longer than the window, and people with a keyboard alone need to reach it
    <details className="menu" tabIndex={0}>
      <summary>{group === undefined ? "All guides" : `${group.title}: ${guide.title}`}</summary>
      <Groups groups={groups} current={guide.path} />
    </details>
  );
}

interface GroupsProps {
  readonly groups: readonly GuideGroup[];
  readonly current: string;
}

function Groups({ groups, current }: GroupsProps): ReactElement {
  return (
    <nav aria-label="Guides">
      {groups.map(({ title, links }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul>
            {links.map((link) => (
              <li key={link.path}>
                <a href={link.path} aria-current={link.path === current ? "page" : undefined}>
                  {link.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface PagerProps {
  readonly guide: Guide;
  readonly all: readonly Guide[];
  readonly groups: readonly GuideGroup[];
}

/** The guide before and the guide after, in the order of the menu. */
function Pager({ guide, all, groups }: PagerProps): ReactElement | null {
  const paths = new Set(all.map(({ path }) => path));
  const links = groups.flatMap((group) => group.links).filter(({ path }) => paths.has(path));
  const at = links.findIndex(({ path }) => path === guide.path);
  const [before, after] = [links[at - 1], links[at + 1]];
  if (at === -1) return null;
  return (
    <nav className="pager" aria-label="Previous and next guide">
      {before === undefined ? (
        <span />
      ) : (
        <a href={before.path} rel="prev">
          {before.title}
        </a>
      )}
      {after !== undefined && (
        <a href={after.path} rel="next">
          {after.title}
        </a>
      )}
    </nav>
  );
}

/** The first paragraph of a guide, without markup, as search engines and messengers show it. */
function firstSentences(html: string): string {
  const [, paragraph = ""] = /<p>([\s\S]*?)<\/p>/.exec(html) ?? [];
  const entities: Readonly<Record<string, string>> = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
  };
  return paragraph
    .replace(/<[^>]+>/g, "")
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
}
