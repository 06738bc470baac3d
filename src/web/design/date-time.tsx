import type { ReactElement } from "react";
import { Foreign } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";

/** Dates as people of the language write them; English as most of the world writes it. */
const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", "pt-BR": "pt-BR" };

/** One o'clock is singular in Portuguese, and so is zero. */
const JOINED: Readonly<Record<Language, { readonly on: string; at(hour: string): string; readonly today: string }>> = {
  en: { on: "on", at: () => "at", today: "today" },
  "pt-BR": { on: "em", at: (hour) => (hour === "00" || hour === "01" ? "à" : "às"), today: "hoje" },
};

/** A date and time in words, such as "21 November 2026 at 19:23", and the name of its time zone. */
export interface Moment {
  readonly date: string;
  /** With the word before it: "at 19:23". */
  readonly time: string;
  /** Such as "Brasilia Standard Time", "horário de Brasília" or "UTC". */
  readonly zone: string;
}

/** The date and time in the time zone of the visitor's device. */
export function momentOf(instant: Date, language: Language): Moment {
  const format = formatFor(language);
  const parts = format.formatToParts(instant);
  const only = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value ?? "";
  const hour = only("hour");
  return {
    date: dayOf(parts, language),
    time: `${JOINED[language].at(hour)} ${hour}:${only("minute")}`,
    zone: zoneOf(format.resolvedOptions().timeZone, only("timeZoneName")),
  };
}

/** One of each kind is enough, and no more than needed: a slow phone takes 15 ms to make one. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(language: Language, timeZone?: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(LOCALES[language], {
      year: "numeric",
      month: "long",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "long",
      ...(timeZone ? { timeZone } : {}),
    });
  formats.set(key, format);
  return format;
}

/** Day, month and year, with the words between them. */
function dayOf(parts: readonly Intl.DateTimeFormatPart[], language: Language): string {
  const end = parts.findIndex(({ type }) => type === "year");
  const day = parts.slice(0, end + 1).map(({ value }) => value);
  // In Portuguese the first of a month is an ordinal.
  return day.join("").replace(/^1 /, language === "pt-BR" ? "1º " : "$&");
}

function zoneOf(timeZone: string, name: string): string {
  if (["UTC", "Etc/UTC", "GMT"].includes(timeZone)) return "UTC";
  // "Horário Padrão de Brasília" is what tables say; people leave the second word out, and write no capital in a sentence.
  return name.replace(/^Horário (?:Padrão )?/, "horário ");
}

/** The zone after a time of the clock. */
const beside = (zone: string) => (zone === "UTC" ? " UTC" : ` (${zone})`);

interface WrittenProps {
  /** In the form that proofs have: UTC with six fraction digits. A text in another form is shown as it is. */
  readonly written: string;
  readonly language: Language;
}

/** "on 21 November 2026 at 19:23 (Brasilia Standard Time)", for the middle of a sentence. */
export function When({
  written,
  language,
  isStrong = false,
}: WrittenProps & { readonly isStrong?: boolean }): ReactElement {
  const instant = instantOf(written);
  const { on } = JOINED[language];
  if (instant === null)
    return (
      <>
        {on} <Foreign text={written} />
      </>
    );
  const { date, time, zone } = momentOf(instant, language);
  const moment = <time dateTime={instant.toISOString()}>{`${date} ${time}`}</time>;
  return (
    <>
      {on} {isStrong ? <b>{moment}</b> : moment}
      {beside(zone)}
    </>
  );
}

/** The date and time in UTC with all its digits, as it was signed. */
export function InUtc({
  written,
  language,
  isWithZone = false,
}: WrittenProps & { readonly isWithZone?: boolean }): ReactElement {
  const instant = instantOf(written);
  if (instant === null) return <Foreign text={written} />;
  const date = dayOf(formatFor(language, "UTC").formatToParts(instant), language);
  const time = written.slice(11, 26).replace(".", language === "pt-BR" ? "," : ".");
  return <time dateTime={instant.toISOString()}>{`${date}, ${time}${isWithZone ? " UTC" : ""}`}</time>;
}

/** "today at 20:46" on a screen. Paper outlives today, so there it is the whole date. */
export function Now({ instant, language }: { readonly instant: Date; readonly language: Language }): ReactElement {
  const { date, time, zone } = momentOf(instant, language);
  const { on, today } = JOINED[language];
  return (
    <time dateTime={instant.toISOString()}>
      <span className="on-screen">{`${today} ${time}`}</span>
      <span className="on-paper">{`${on} ${date} ${time}${beside(zone)}`}</span>
    </time>
  );
}

/** Null for a text that is not a date of the calendar: the form alone allows 31 February. */
export function instantOf(written: string): Date | null {
  const instant = new Date(written.replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(instant.getTime())) return null;
  return instant.toISOString().slice(0, 19) === written.slice(0, 19) ? instant : null;
}
