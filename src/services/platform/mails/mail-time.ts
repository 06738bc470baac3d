import { spokenPortuguese } from "../../../adapters/language/portuguese-hour.ts";
import type { MailLanguage } from "../../../surfaces/mail/mail-kind.ts";

/**
 * Date and time in words, to the minute, with the zone's own name: `21 November 2026 at 22:23 UTC`,
 * `21 de novembro de 2026 às 19:23 (horário de Brasília)`.
 */
export function mailTime(time: Date, language: MailLanguage, timeZone: string): string {
  return spokenPortuguese(written(time, language, timeZone, { dateStyle: "long", timeStyle: "short" }));
}

/** The time of the clock alone, with its zone: `22:23 UTC`, `19:23 (horário de Brasília)`. */
export function mailClock(time: Date, language: MailLanguage, timeZone: string): string {
  return written(time, language, timeZone, { timeStyle: "short" });
}

function written(time: Date, language: MailLanguage, timeZone: string, styles: Intl.DateTimeFormatOptions): string {
  const locale = language === "en" ? "en-GB" : language;
  const format = new Intl.DateTimeFormat(locale, { ...styles, timeZone });
  // Intl also resolves other names of UTC, such as Etc/UTC.
  const isUtc = format.resolvedOptions().timeZone === "UTC";
  return `${format.format(time)} ${isUtc ? "UTC" : `(${zoneName(time, locale, timeZone)})`}`;
}

function zoneName(time: Date, locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longGeneric" }).formatToParts(time);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  // In Portuguese Intl says "Horário Padrão de Brasília". People say "horário de Brasília".
  return name.replace(/^Horário (Padrão )?/, "horário ");
}
