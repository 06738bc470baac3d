import { spokenPortuguese } from "../../portuguese-hour.ts";

/** A date and time in the time zone that readers of the language expect. A page that the gateway fills does not know the reader's own. */
export function momentInWords(time: Date, language: string, timeStyle: "short" | "medium" = "short"): string {
  const isBrazilian = language === "pt-BR";
  const words = new Intl.DateTimeFormat(isBrazilian ? "pt-BR" : "en-GB", {
    dateStyle: "long",
    timeStyle,
    timeZone: isBrazilian ? "America/Sao_Paulo" : "UTC",
  }).format(time);
  return isBrazilian ? spokenPortuguese(words) : words;
}

/** The name of that time zone, for behind the time of the clock. */
export const zoneInWords = (language: string) => (language === "pt-BR" ? " (horário de Brasília)" : " UTC");
