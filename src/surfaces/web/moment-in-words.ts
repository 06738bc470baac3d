import { spokenPortuguese } from "../../adapters/language/portuguese-hour.ts";

/** A date and time in the time zone that readers of the language expect. A page that the gateway fills does not know the reader's own. */
export function momentInWords(time: Date, language: string, timeStyle: "short" | "medium" = "short"): string {
  const isBrazilian = language === "pt-BR";
  const words = formatOf(isBrazilian, timeStyle).format(time);
  return isBrazilian ? spokenPortuguese(words) : words;
}

/** Each is made once: it takes more memory and time than the rest of a page, and anyone may ask for the page. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(isBrazilian: boolean, timeStyle: "short" | "medium"): Intl.DateTimeFormat {
  const name = `${isBrazilian} ${timeStyle}`;
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat(isBrazilian ? "pt-BR" : "en-GB", {
      dateStyle: "long",
      timeStyle,
      timeZone: isBrazilian ? "America/Sao_Paulo" : "UTC",
    });
  formats.set(name, format);
  return format;
}

/** The name of that time zone, for behind the time of the clock. */
export const zoneInWords = (language: string) => (language === "pt-BR" ? " (horário de Brasília)" : " UTC");
