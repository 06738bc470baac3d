// What analysts lose by a change of schema/database.sql.
import fs from "node:fs";
import { expect, test } from "vitest";
import { databaseNarrowings } from "../../../src/main/release/database-narrowings.ts";

const text = fs.readFileSync(new URL("../../../schema/database.sql", import.meta.url), "utf8");
const changed = (part: RegExp | string, other: string) => {
  const after = text.replace(part, other);
  expect(after).not.toBe(text);
  return databaseNarrowings(text, after);
};

test("a view less, also one that analysts may read no more", () => {
  const sentences = ["Analysts: `analytics.proofs_per_day` was removed."];
  expect(changed("create view analytics.proofs_per_day (", "create view analytics.proofs_daily (")).toEqual(sentences);
  expect(changed("grant select on analytics.proofs_per_day to selo_analyst;\n", "")).toEqual(sentences);
});

test("a column less, the last one as well", () => {
  const view = "(?<=create view api.tokens \\([^;]*?\n)";
  expect(changed(new RegExp(`${view} {2}name text,?\n`), "")).toEqual(["Analysts: `api.tokens.name` was removed."]);
  expect(changed(/,\n {2}\w+ [^,\n]+(?=\n\);\ncomment on view analytics.proofs_per_day)/, "")).toEqual([
    "Analysts: `analytics.proofs_per_day.last_registered_at` was removed.",
  ]);
});

test("a column of another type", () => {
  expect(changed("  proofs bigint,", "  proofs numeric(10,2),")).toEqual([
    "Analysts: `analytics.proofs_per_day.proofs` has the type `numeric(10,2)` in place of `bigint`.",
  ]);
});

test("a column that may be null now", () => {
  expect(changed(/(?<=column analytics\.proofs\.id is '.*) Not null\./, "")).toEqual([
    "Analysts: `analytics.proofs.id` may be null.",
  ]);
  expect(changed(/(?<=column api\.proofs\.platform_key_id is '.*) Not null\.(?= References)/, "")).toEqual([
    "Analysts: `api.proofs.platform_key_id` may be null.",
  ]);
  expect(changed(/(?<=column api\.proofs\.platform_key_id is '.* Not null\.) References [^']*/, "")).toEqual([]);
});

test("a column more, a view more, other words and another order take nothing", () => {
  expect(changed("  proofs bigint,", "  year integer,\n  proofs bigint,")).toEqual([]);
  expect(changed("create view api.", "create view api.more (\n  id uuid\n);\n\ncreate view api.")).toEqual([]);
  expect(changed(/(?<=column analytics\.proofs\.id is ').*(?= Not null)/, "Other words.")).toEqual([]);
  expect(changed("  day date,\n  proofs bigint,", "  proofs bigint,\n  day date,")).toEqual([]);
});

test("a view that analysts may not read is none of theirs", () => {
  const closed = text.replace("grant select on api.tokens to selo_analyst;\n", "");
  expect(databaseNarrowings(closed, closed.replace("create view api.tokens (", "create view api.gone ("))).toEqual([]);
});
