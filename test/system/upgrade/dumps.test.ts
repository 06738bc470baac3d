// The dumps of the two latest releases; those before: dumps.full.test.ts.
import { expect, test } from "vitest";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { testDumps } from "./dump-tests.ts";
import { releases, releasesToRunBeside } from "./release.ts";

test("every migration file of a release has its dump, but those of the version in the making", () => {
  const dumped = releases().map(({ name }) => name);
  expect(dumped).toEqual(["0002-proofs", "0003-public-proofs", "0008-limits", "0013-credentials", "0020-words"]);
  expect(readSqlSource().migrations.map(({ name }) => name)).toEqual(expect.arrayContaining(dumped));
});

test("the gateways of v0.2.0 and later run on beside this version", () => {
  expect(releasesToRunBeside().map(({ version }) => version)).toEqual(["0.2.0"]);
});

testDumps(["0013-credentials", "0020-words"]);
