import type { Fault, FaultRecord } from "../../postgres/database.ts";
import type { PageFacts } from "./fill-page.ts";
import { momentInWords, zoneInWords } from "./moment-in-words.ts";
import type { ServicePages } from "./service-pages.ts";

/** What the page of src/web/site/status.tsx says of the last 90 days, in its language. */
export function faultFacts(record: FaultRecord | null, language: string, needs: ServicePages["needs"]): PageFacts {
  const components = ["service", ...new Set(Object.values(needs).flat())];
  const { since = null, faults = [], more = 0, is_whole = false } = record ?? {};
  const shown = (isShown: boolean) => (isShown ? "" : null);
  return {
    faults: faults.map((fault) => ({ ...factsOf(fault, language), ...componentFacts(fault, components) })),
    faults_unread: shown(record === null),
    faults_unwatched: shown(record !== null && since === null),
    no_fault: shown(since !== null && faults.length === 0),
    has_faults: shown(faults.length > 0),
    faults_are_whole: shown(is_whole),
    faults_since: since !== null && !is_whole ? since : null,
    faults_since_in_words: since === null ? null : inWords(since, language),
    one_more_fault: shown(more === 1),
    more_faults: more > 1 ? String(more) : null,
  };
}

/** What failed, of all that the page may have words for: the service as a whole, and what services need. */
function componentFacts({ component }: Fault, components: readonly string[]): PageFacts {
  return Object.fromEntries(components.map((each) => [`fault_${each}`, each === component ? "" : null]));
}

function factsOf({ extent, began_at, ended_at, seconds }: Fault, language: string): PageFacts {
  return {
    fault_whole: extent === "whole" ? "" : null,
    fault_part: extent === "part" ? "" : null,
    fault_is_over: ended_at === null ? null : "",
    fault_lasts: ended_at === null ? "" : null,
    fault_began_at: began_at,
    // Between two instants the zone stands once.
    fault_began_in_words: ended_at === null ? inWords(began_at, language) : momentInWords(new Date(began_at), language),
    fault_ended_at: ended_at,
    fault_ended_in_words: ended_at === null ? null : inWords(ended_at, language),
    fault_took: duration(seconds, language),
  };
}

const inWords = (instant: string, language: string) =>
  momentInWords(new Date(instant), language) + zoneInWords(language);

/** In whole minutes: it is observed once a minute. */
function duration(seconds: number, language: string): string {
  const { units, list } = formatsOf(language === "en" ? "en-GB" : language);
  const all = Math.max(1, Math.round(seconds / 60));
  const amounts = [
    [Math.floor(all / 1440), "day"],
    [Math.floor(all / 60) % 24, "hour"],
    [all % 60, "minute"],
  ] as const;
  const words = amounts.filter(([amount]) => amount > 0).map(([amount, unit]) => units[unit].format(amount));
  return list.format(words);
}

type Formats = ReturnType<typeof makeFormats>;

/** By locale, each made once. */
const formats = new Map<string, Formats>();

function formatsOf(locale: string): Formats {
  const known = formats.get(locale) ?? makeFormats(locale);
  formats.set(locale, known);
  return known;
}

function makeFormats(locale: string) {
  const of = (unit: string) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  return {
    units: { day: of("day"), hour: of("hour"), minute: of("minute") },
    list: new Intl.ListFormat(locale, { type: "conjunction" }),
  };
}
