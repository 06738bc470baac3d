import { momentOf } from "../../design/date-time.tsx";
import type { Language } from "../../shell/language.ts";

const DAY_MS = 86_400_000;
const NEAR: Readonly<Record<Language, readonly [yesterday: string, today: string, tomorrow: string]>> = {
  en: ["yesterday", "today", "tomorrow"],
  "pt-BR": ["ontem", "hoje", "amanhã"],
};

/** The day, as people say it: today, or 26 November 2026. @param written in UTC */
export function dayOf(written: string, language: Language, now = new Date()): string {
  const { date } = momentOf(new Date(written), language);
  const near = [-1, 0, 1].findIndex(
    (days) => momentOf(new Date(now.getTime() + days * DAY_MS), language).date === date,
  );
  return NEAR[language][near] ?? date;
}

/** The day and the time of the clock: "today at 14:31". */
export function timeOf(written: string, language: Language, now = new Date()): string {
  return `${dayOf(written, language, now)} ${momentOf(new Date(written), language).time}`;
}
