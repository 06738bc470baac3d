// /dev/design: development shows the components of the pages; production has no such page.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { light } from "../../../src/adapters/generated/design-tokens.ts";
import { startTestGateway } from "../../support/gateway.ts";

const HTML = { accept: "text/html" };
const DESIGN = path.resolve(import.meta.dirname, "../../../src/web/design");

test("development shows every colour and every class of the components", async () => {
  const selo = await startTestGateway();
  try {
    const response = await fetch(`${selo.baseUrl}/dev/design`, { headers: HTML });
    expect(response.status).toBe(200);
    const page = await response.text();
    expect([...page.matchAll(/data-token="([a-z0-9-]+)"/g)].map(([, name]) => name)).toEqual(Object.keys(light));
    const shown = new Set([...page.matchAll(/class="([^"]+)"/g)].flatMap(([, names = ""]) => names.split(" ")));
    expect(
      classesOf("controls.css", "verdict.css", "content.css", "shell.css").filter((name) => !shown.has(name)),
    ).toEqual([]);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  } finally {
    await selo.stop();
  }
});

test("production has no such page, for browsers and programs alike", async () => {
  const production = await startTestGateway({ NODE_ENV: "production" });
  try {
    for (const accept of ["text/html", "application/json"]) {
      const response = await fetch(`${production.baseUrl}/dev/design`, { headers: { accept } });
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("data-token");
    }
  } finally {
    await production.stop();
  }
});

/** The classes that these style sheets speak of. */
function classesOf(...sheets: readonly string[]): string[] {
  const names = sheets.flatMap((sheet) => {
    const rules = fs
      .readFileSync(path.join(DESIGN, sheet), "utf8")
      .replaceAll(/\/\*.*?\*\/|\{[^{}]*\}|:has\([^()]*\)/gs, " ");
    return [...rules.matchAll(/\.([a-z][a-z-]*)/g)].flatMap(([, name]) => name ?? []);
  });
  return [...new Set(names)].sort();
}
