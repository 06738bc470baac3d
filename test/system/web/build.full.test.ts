// The build of the pages from their sources alone. What a start builds: build.test.ts.
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureWebApp, SOURCES, webAppFolder } from "../../../src/surfaces/web/build.ts";
import { clone } from "../../support/clone.ts";
import { leaveStaleBuild, namesIn } from "./built.ts";

test("needs nothing but what the stamp covers, works anywhere, replaces what was there and writes nowhere else", async () => {
  const copy = clone(...SOURCES, "package.json");
  onTestFinished(copy.remove);
  leaveStaleBuild(copy);
  const before = copy.files();
  await ensureWebApp(copy.root);
  expect(copy.files()).toEqual(before);
  expect(fs.readdirSync(path.join(copy.root, "dist"))).toEqual(["web"]);
  expect(namesIn(webAppFolder(copy.root))).toEqual(namesIn(webAppFolder()));
}, 400_000);
