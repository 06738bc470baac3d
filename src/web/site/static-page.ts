import type { ReactElement } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import type { Section } from "../shell/frame.tsx";
import type { Language } from "../shell/language.ts";

/** What a page of the build is made of. */
export interface StaticPage {
  /** The name of the page's file. */
  readonly name: string;
  readonly section?: Section;
  /** Its languages; all by default. */
  readonly languages?: readonly Language[];
  /** Kept out of search engines. */
  readonly isPrivate?: true;
  readonly title: (language: Language) => string;
  readonly description: (language: Language) => string;
  readonly content: (language: Language, facts: SiteFacts) => ReactElement;
}
