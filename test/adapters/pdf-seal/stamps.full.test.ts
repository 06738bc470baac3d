// Stamps on every kind of PDF that tests know, as poppler, ghostscript and pdfium see them. The sample is in stamps.test.ts.
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import type { Stamp } from "../../../src/adapters/pdf-seal/stamp.ts";
import { byPdfium } from "./by-pdfium.ts";
import { covered, fields } from "./covered.ts";
import { kinds } from "./kinds.ts";
import { oddTables } from "./odd-tables.ts";
import { byGhostscript, firstPage, inkOf } from "./page-image.ts";
import { aKey, isSound, seal } from "./seal-stage.ts";

let key: SealKey;
beforeAll(async () => {
  key = await aKey();
});

/** Files of public bug reports, where they lie beside the repository. */
const REPORTED = path.resolve(import.meta.dirname, "../../../../shared/cases/pdf");
const reported = fs.existsSync(REPORTED)
  ? fs
      .readdirSync(REPORTED)
      .filter((name) => name.endsWith(".pdf"))
      .map((name) => [name, fs.readFileSync(path.join(REPORTED, name))] as const)
  : [];

/** Ghostscript 10 finds no page in the original, but one in the sealed PDF, which has our cross-reference. */
const UNREAD_BY_GHOSTSCRIPT = ["a hybrid file with an update"];

test.each([...covered, ...fields, ...kinds, ...Object.entries(oddTables), ...reported])("%s", async (name, file) => {
  const { across, down } = firstPage(file);
  const at = { page: 1, pageSize: { width: across, height: down }, height: 0.05 };
  const stamps: Stamp[] = [
    { ...at, x: 0.2, y: 0.12, width: 0.5, drawn: { kind: "text", text: "Maria de Souza" } },
    { ...at, x: 0.7, y: 0.8, width: 0.2, drawn: { kind: "mark" } },
  ];
  const made = await seal(key, file, stamps);
  expect(isSound(made)).toBe(true);
  for (const draw of [firstPage, byPdfium, ...(UNREAD_BY_GHOSTSCRIPT.includes(name) ? [] : [byGhostscript])])
    expect([draw.name, inkOf(stamps, { before: await draw(file), after: await draw(made) })]).toEqual([
      draw.name,
      { inked: [true, true], beside: 0 },
    ]);
});
