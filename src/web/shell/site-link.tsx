import type { ReactElement } from "react";
import type { Language } from "./language.ts";
import { shellWords } from "./words.ts";

/** Guides and the reference of the API, which are written in English alone. */
const IN_ENGLISH = /^\/(?:guides|docs)(?:[/#]|$)/;

interface SiteLinkProps {
  readonly href: string;
  readonly language: Language;
  readonly text: string;
  readonly className?: string;
  readonly isCurrent?: boolean;
}

/** A link to a page of ours. It says so if that page is written in another language than this one. */
export function SiteLink({ href, language, text, className, isCurrent = false }: SiteLinkProps): ReactElement {
  const { inEnglish } = shellWords[language];
  const isForeign = inEnglish !== null && IN_ENGLISH.test(href);
  return (
    <a
      className={className}
      href={href}
      hrefLang={isForeign ? "en" : undefined}
      aria-current={isCurrent ? "page" : undefined}
    >
      {text}
      {isForeign && ` (${inEnglish})`}
    </a>
  );
}
