import type { FastifyBaseLogger } from "fastify";
import { withHourArticle } from "../../portuguese-hour.ts";
import type { PageFacts } from "./fill-page.ts";

/** What the checks of /readyz came to. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, "ok" | "failed" | "unknown">>;
  /** States of parts without which the gateway works. */
  readonly parts: Readonly<Record<string, string>>;
  readonly checkedAt: Date;
}

export type ReadReadiness = (log: FastifyBaseLogger) => Promise<Readiness>;

/** What the page of src/web/site/status.tsx says of a readiness, in its language: of each check, which of its sentences stands. */
export function statusFacts({ isReady, checks, checkedAt }: Readiness, language: string): PageFacts {
  const oneOf = (name: string, outcome: string) =>
    ["ok", "failed", "unknown"].map((each) => [`${name}_${each}`, each === outcome ? "" : null]);
  return {
    is_ready: isReady ? "" : null,
    is_not_ready: isReady ? null : "",
    ...Object.fromEntries(Object.entries(checks).flatMap(([name, outcome]) => oneOf(name, outcome))),
    checked_at: checkedAt.toISOString(),
    checked_in_words: inWords(checkedAt, language),
  };
}

/** Date and time with the zone that readers of the language expect. */
function inWords(time: Date, language: string): string {
  const isBrazilian = language === "pt-BR";
  const words = new Intl.DateTimeFormat(isBrazilian ? "pt-BR" : "en-GB", {
    dateStyle: "long",
    timeStyle: "medium",
    timeZone: isBrazilian ? "America/Sao_Paulo" : "UTC",
  }).format(time);
  return `${withHourArticle(words)} ${isBrazilian ? "(horário de Brasília)" : "UTC"}`;
}
