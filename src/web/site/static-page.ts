import type { ReactElement } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import type { Section } from "../shell/frame.tsx";
import type { Language } from "../shell/language.ts";
import type { Highlight } from "./code.tsx";

/** What a page of the build is made of. */
export interface StaticPage {
  /** The name of the page's file. */
  readonly name: string;
  /** Where it is served; below its name by default, null for a page that stands in place of others. */
  readonly path?: string | null;
  readonly section?: Section;
  /** Its languages; all by default. */
  readonly languages?: readonly Language[];
  /** Kept out of search engines. */
  readonly isPrivate?: true;
  readonly title: (language: Language) => string;
  readonly description: (language: Language) => string;
  readonly content: (language: Language, facts: SiteFacts, highlight: Highlight) => ReactElement;
}

/** The path that Fastify serves the page at. */
export function pathOf({ name, path }: Pick<StaticPage, "name" | "path">): string | null {
  return path === undefined ? `/${name}` : path;
}
