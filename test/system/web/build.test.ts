// dist/web follows its sources: what it is built from, that it is built again, by `npm start` as well, and nothing else (with sources alone: build.full.test.ts).
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ensureWebApp, SOURCES, sourcesHash, webAppFolder } from "../../../src/surfaces/web/build.ts";
import { buildWebAppApart } from "../../../src/surfaces/web/build-apart.ts";
import { type Clone, clone } from "../../support/clone.ts";
import { endPrograms, freePort, preparedDataFolder, processesIn, selo } from "../../support/selo-process.ts";
import { leaveStaleBuild, namesIn } from "./built.ts";

function cloneForTest(...parts: readonly string[]): Clone {
  const made = clone(...parts);
  onTestFinished(made.remove);
  return made;
}

describe("the stamp", () => {
  let copy: Clone;
  beforeAll(() => {
    copy = clone(...SOURCES);
  });
  afterAll(() => copy.remove());

  test.each([
    "src/web",
    "src/verifier",
    "src/receiver",
    "SECURITY.md",
    "src/surfaces/cli",
    "src/surfaces/web/build.ts",
    "src/surfaces/web/build-font.ts",
    "tsconfig.json",
    "package-lock.json",
  ])("is another one after a byte changed in %s", (source) => {
    const before = sourcesHash(copy.root);
    expect(sourcesHash(copy.root)).toBe(before);
    copy.change(source);
    expect(sourcesHash(copy.root)).not.toBe(before);
  });

  test("is another one after a file was renamed", () => {
    const { root } = copy;
    const before = sourcesHash(root);
    fs.renameSync(path.join(root, "src/web/design/mark.svg"), path.join(root, "src/web/design/seal.svg"));
    expect(sourcesHash(root)).not.toBe(before);
  });
});

describe("the build", () => {
  test("is not repeated while the sources are the same", async () => {
    const { mtimeMs } = fs.statSync(webAppFolder());
    await ensureWebApp();
    expect(fs.statSync(webAppFolder()).mtimeMs).toBe(mtimeMs);
  });

  test("that fails, for want of sources or anything else, is a warning and no more", async () => {
    const { root } = cloneForTest();
    const warnings: string[] = [];
    await buildWebAppApart({ warn: (_fields, message) => warnings.push(message) }, root);
    expect(warnings).toEqual(["the web app could not be built"]);
  });
});

/** What `npm start` needs of the project, and what its pages are built from. */
const SOURCES_OF_START = [
  "src",
  "sql",
  "workers",
  "schema",
  "package.json",
  ...SOURCES.filter((file) => !file.startsWith("src/")),
];

test("`npm start` after a change of the sources serves the new build", async () => {
  const copy = cloneForTest(...SOURCES_OF_START);
  leaveStaleBuild(copy);
  const words = path.join(copy.root, "src/web/site/landing-words.ts");
  fs.writeFileSync(words, fs.readFileSync(words, "utf8").replace("Start with the guide", "Changed a minute ago"));
  const data = preparedDataFolder();
  onTestFinished(data.remove);
  const base = `http://127.0.0.1:${await freePort()}`;
  selo(["start"], { SELO_DATA_DIR: data.path, PORT: new URL(base).port }, copy.root);
  try {
    const isReady = () =>
      fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady, { timeout: 300_000, interval: 100 }).toBe(true);
    const text = (url: string) => fetch(base + url).then((response) => response.text());
    expect(await text("/")).toContain("Changed a minute ago");
    expect(fs.readdirSync(path.join(copy.root, "dist"))).toEqual(["web"]);
    expect(namesIn(webAppFolder(copy.root))).toEqual(namesIn(webAppFolder()));
    // The demo organization has registered the sample file, so the home page has a proof to open.
    await expect.poll(() => text("/")).toMatch(/href="\/verify\/[0-9A-Z-]{14}"/);
  } finally {
    await endPrograms();
  }
  expect(processesIn(data.path)).toEqual([]);
}, 400_000);
