// The check of style sheets in `npm run check`: colours, sizes and durations come from tokens.
import path from "node:path";
import stylelint from "stylelint";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

async function refused(declaration: string): Promise<boolean> {
  const { results } = await stylelint.lint({
    code: `.a { ${declaration}; }`,
    cwd: ROOT,
    codeFilename: path.join(ROOT, "src/web/design/example.css"),
  });
  const [{ warnings } = { warnings: [] }] = results;
  return warnings.some(({ severity }) => severity === "error");
}

test.each([
  "color: #fff",
  "color: white",
  "background: rgb(0 0 0 / 50%)",
  "background: color-mix(in srgb, var(--ink), transparent)",
  "color: var(--ink-4)",
  "padding: 7px",
  "padding: var(--s-8) 0.3rem",
  "margin-top: 1rem",
  "margin-top: calc(-1 * 9px)",
  "gap: 10px",
  "border-radius: 8px",
  "border: 5px solid var(--line)",
  "box-shadow: 0 1px 2px var(--ink)",
  "font: 600 15px var(--sans)",
  "font: 600 var(--type-16) Arial",
  "font-family: Arial, sans-serif",
  "font-size: 0.9rem",
  "line-height: 1.35",
  "transition: background 150ms",
  "animation: spin 1s",
  "--tone: 13px",
  "color: RGB(0 0 0)",
  "width: 37px",
  "inset: 0 12.5px auto auto",
  "grid-template-columns: 320px 1fr",
  "max-width: 15cm",
  "max-width: 46rem",
  "transition: color 0.2S",
  "background: url('data:image/svg+xml,%3Csvg fill=%22red%22/%3E')",
])("refuses %s", async (declaration) => {
  expect(await refused(declaration)).toBe(true);
});

test.each([
  "color: var(--ink)",
  "color: inherit",
  "fill: currentColor",
  "background: none",
  "padding: var(--s-8) 0 2px auto",
  "margin: calc(-1 * var(--s-8)) auto",
  "margin-left: calc(var(--icon) + var(--s-12))",
  "border: 1px solid var(--line)",
  "border-radius: var(--r-10)",
  "border-radius: 50%",
  "box-shadow: var(--shadow-2)",
  "box-shadow: inset 0 -2px var(--brand)",
  "font: 650 var(--type-22) var(--sans)",
  "font-size: 0.92em",
  "transition: background var(--fast), color var(--slow)",
  "--tone: var(--ok)",
  "width: 1px",
  "max-width: 20em",
])("accepts %s", async (declaration) => {
  expect(await refused(declaration)).toBe(false);
});
