import { LRUCache } from "lru-cache";

/** Days, zones and numbers as people write them in a language. */
export interface SpokenTime {
  /** Formats the day of a clock's reading as it stands; this machine's time zone has no influence. */
  readonly day: (localTime: string) => string;
  /** The name of an IANA zone at an instant, with its difference from UTC if it has no name; null for UTC under any of its names. */
  readonly zone: (timeZone: string, utcOffset: string, instant: string) => string | null;
  readonly number: (value: number) => string;
}

export function spokenTime(locale: string): SpokenTime {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const number = new Intl.NumberFormat(locale, { useGrouping: "always" });
  return {
    day: (localTime) => day.format(new Date(`${localTime.slice(0, 10)}T00:00:00Z`)),
    zone: (timeZone, utcOffset, instant) => {
      const format = zoneFormat(locale, timeZone);
      if (format === null) return `${timeZone}, UTC${utcOffset}`;
      if (format.resolvedOptions().timeZone === "UTC") return null;
      const name = format.formatToParts(new Date(instant)).find(({ type }) => type === "timeZoneName")?.value ?? "";
      // "Horário Padrão de Brasília" is what tables say; people leave the second word out, and write no capital in a sentence.
      const spoken = name.replace(/^Horário (?:Padrão )?/, "horário ");
      return /[+\u2212-]\d/.test(spoken) ? `${timeZone}, UTC${utcOffset}` : spoken;
    },
    number: (value) => number.format(value),
  };
}

/** Making a format takes longer than the lines of a page. */
const zoneFormats = new LRUCache<string, { readonly format: Intl.DateTimeFormat | null }>({ max: 100 });

/** Null for a zone that Postgres knows and this program does not. */
function zoneFormat(locale: string, timeZone: string): Intl.DateTimeFormat | null {
  const key = `${locale} ${timeZone}`;
  const made = zoneFormats.get(key) ?? { format: newFormat(locale, timeZone) };
  zoneFormats.set(key, made);
  return made.format;
}

function newFormat(locale: string, timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "long" });
  } catch {
    return null;
  }
}
