// No check of the audit is there that was never seen to find something.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import type { Covered } from "../audit-stage.ts";
import { FOUND_BY } from "./found-by.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test("each check found something in a file beside, or by an edit of a column in audit-coverage.test.ts", async () => {
  const { rows: checks } = await database.admin.query<{ name: string }>("select name from jobs.audit_checks()");
  const { rows: coverage } = await database.admin.query<Pick<Covered, "check_name">>(
    "select check_name from platform.audit_coverage_of_all()",
  );
  const root = new URL("../../../../", import.meta.url);
  const sources = fs
    .globSync("sql/*/{functions,jobs}/**/audit_*.sql", { cwd: root })
    .map((file) => fs.readFileSync(new URL(file, root), "utf8"));
  // What a fault calls its check, where SQL makes one.
  const named = sources.flatMap((text) => [
    ...text.matchAll(
      /^ *(?:return next row\(|select )'([a-z_]+)'(?: as check_name)?, (?:coalesce|\w+\.tenant_id|p_tenant_id|'0)/gm,
    ),
  ]);
  const names = new Set([...named.map((match) => match[1] ?? ""), "seals", "signatures"]);
  for (const { name } of checks) expect(names).toContain(name);
  const edited = new Set(coverage.map(({ check_name }) => check_name));
  const seen = new Set<string>(Object.values(FOUND_BY).flat());
  expect([...names].sort().filter((name) => !seen.has(name) && !edited.has(name))).toEqual([]);
});
