import type { ReactElement } from "react";
import type { Language } from "./language.ts";

/** Guides and the reference of the API, which are written in English alone. */
const IN_ENGLISH = /^\/(?:guides|docs)(?:[/#]|$)/;

interface SiteLinkProps {
  readonly href: string;
  readonly language: Language;
  readonly text: string;
  readonly className?: string;
  readonly isCurrent?: boolean;
}

/** A link to a page of Selo. Its attributes name the language of that page, for programs. The footer tells readers, once. */
export function SiteLink({ href, language, text, className, isCurrent = false }: SiteLinkProps): ReactElement {
  const isForeign = language !== "en" && IN_ENGLISH.test(href);
  return (
    <a
      className={className}
      href={href}
      hrefLang={isForeign ? "en" : undefined}
      aria-current={isCurrent ? "page" : undefined}
    >
      {text}
    </a>
  );
}
