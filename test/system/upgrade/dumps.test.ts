// The dumps of the two latest releases; those before: dumps.full.test.ts.
import { expect, test } from "vitest";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { testDumps } from "./dump-tests.ts";
import { NONE_TO_RUN_BESIDE, releases, releasesToRunBeside } from "./release.ts";

test("every migration file of a release has its dump, but those of the version in the making", () => {
  const dumped = releases().map(({ name }) => name);
  expect(dumped).toEqual(["0002-proofs", "0003-public-proofs", "0008-limits", "0013-credentials", "0020-words"]);
  expect(readSqlSource().migrations.map(({ name }) => name)).toEqual(expect.arrayContaining(dumped));
});

test("there is a release whose gateway runs on beside this version", (context) => {
  if (releasesToRunBeside().length === 0) context.skip(NONE_TO_RUN_BESIDE);
});

testDumps(["0013-credentials", "0020-words"]);
