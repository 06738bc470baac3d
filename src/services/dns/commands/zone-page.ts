import { printable } from "../../../surfaces/cli/printable.ts";
import { wrapped } from "../../../surfaces/cli/wrapped.ts";
import type { Instruction } from "../delegation/setup-words.ts";

/** Labels and values in two columns. */
export function factLines(facts: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...facts.map(([label]) => label.length));
  return facts.flatMap(([label, value]) => wrapped(value, `${label.padEnd(width)}  `));
}

/** The steps, each with a mark where it is done. */
export const stepLines = (steps: readonly Pick<Instruction, "step" | "title" | "text" | "done">[]): string[] =>
  steps.flatMap(({ step, title, text, done }) => [
    "",
    `${done ? "[x]" : "[ ]"} ${step}. ${title}`,
    ...wrapped(text, "    "),
  ]);

/** Lines as a terminal may show them: names that somebody chose do not control it. */
export const pageOf = (lines: readonly string[]): string => lines.map(printable).join("\n");
