import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { services } from "../../../src/services/services.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { sqlReadme } from "../../support/service-readme.ts";

const ROOT = path.join(import.meta.dirname, "../../..");

let database: TestDatabase;
let registered: Set<string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await database.admin.query<{ code: string }>(
    "select status || ' ' || code as code from platform.error_codes",
  );
  registered = new Set(rows.map(({ code }) => code));
});
afterAll(() => database.drop());

/** Every file below a folder with one of these endings, with its text. */
function filesOf(folder: string, endings: RegExp): { file: string; text: string }[] {
  const entries = fs.readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && endings.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file: path.relative(ROOT, file), text: fs.readFileSync(file, "utf8") }));
}

/** How often a file raises what no caller can ask for: as its service's README says, and in migrations. */
const OTHERS: Readonly<Record<string, number>> = {
  "sql/migrations/0001-platform.sql": 2,
  "sql/migrations/0004-audit.sql": 2,
  ...Object.fromEntries(
    services.flatMap((service) =>
      [...sqlReadme(service, "Errors that no caller sees").matchAll(/^- `([\w/.-]+)` \((\d)\): \S.+$/gm)].map(
        ([, file, times]) => [`sql/${service.name}/${file}`, Number(times)],
      ),
    ),
  ),
};

test("every error raised in SQL is registered with its status, and its status and code are literals", () => {
  const raised: string[] = [];
  for (const { file, text } of filesOf("sql", /\.sql$/)) {
    const calls = text.matchAll(
      /(?<!function )platform\.(?:fail|failure)\((?!integer, text)\s*(?:(\d{3}), '([\w:]+)')?/g,
    );
    for (const [call, status, code] of calls) {
      expect({ file, call, literal: status !== undefined }).toEqual({ file, call, literal: true });
      expect({ file, registered: registered.has(`${status} ${code}`) ? "" : `${status} ${code}` }).toEqual({
        file,
        registered: "",
      });
      raised.push(`${status} ${code}`);
    }
    const others = [...text.matchAll(/raise exception/g)].length;
    expect({ file, others }).toEqual({ file, others: OTHERS[file] ?? 0 });
  }
  expect(new Set(raised)).toContain("402 insufficient_credits");
});

test("every AppError thrown in TypeScript is registered with its status", () => {
  const thrown: string[] = [];
  for (const { file, text } of [...filesOf("src", /\.tsx?$/), ...filesOf("workers", /\.ts$/)]) {
    for (const [call, status, code] of text.matchAll(/new AppError\(\s*(?:(\d{3}),\s*"(\w+)")?/g)) {
      // The decoder hands on what SQL raised.
      if (file === "src/postgres/errors.ts" && status === undefined) continue;
      expect({ file, call, literal: status !== undefined }).toEqual({ file, call, literal: true });
      expect({ file, registered: registered.has(`${status} ${code}`) ? "" : `${status} ${code}` }).toEqual({
        file,
        registered: "",
      });
      thrown.push(`${status} ${code}`);
    }
  }
  expect(new Set(thrown)).toContain("413 too_large");
});
