// How a state is looked at: a width, a theme and a language. The lane looks at each state once, with all three in turn; the full files in all ways.
import { byLane } from "../../support/lane.ts";
import { LANGUAGES, type Language, type Pictured, type States } from "./state.ts";

export const WIDTHS = [390, 1280] as const;
export const THEMES = ["light", "dark"] as const;
export type Width = (typeof WIDTHS)[number];
export type Theme = (typeof THEMES)[number];

export interface Look {
  readonly width: Width;
  readonly theme: Theme;
  readonly language: Language;
}
/** The looks of each state, by its name. */
export type Looks = Readonly<Record<string, readonly Look[]>>;

/** Two that follow each other differ in width, theme and language: two states of a page are enough for both of each. So do those of one language. */
const TURNS: readonly Look[] = [
  { width: 390, theme: "light", language: "en" },
  { width: 1280, theme: "dark", language: "pt-BR" },
  { width: 1280, theme: "dark", language: "en" },
  { width: 390, theme: "light", language: "pt-BR" },
  { width: 390, theme: "dark", language: "en" },
  { width: 1280, theme: "light", language: "pt-BR" },
  { width: 1280, theme: "light", language: "en" },
  { width: 390, theme: "dark", language: "pt-BR" },
];

/** One look at each state, the next one with each state: all occur equally often among states of the same languages. In full, every look. */
export function looksAt(states: States<Pictured>): Looks {
  const turns = new Map<number, number>();
  return Object.fromEntries(
    Object.entries(states).map(([name, { languages = LANGUAGES }]) => {
      const possible = TURNS.filter(({ language }) => languages.includes(language));
      const turn = turns.get(possible.length) ?? 0;
      turns.set(possible.length, turn + 1);
      return [name, byLane({ lane: [possible[turn % possible.length] as Look], full: possible })];
    }),
  );
}
