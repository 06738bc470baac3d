// `npm run release-schema` and its check, in a folder with the schema of this version.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { releaseFaults, releaseSchema } from "../../../src/main/release/released-schema.ts";

const REAL = path.join(import.meta.dirname, "../../../schema");
const FILES = ["openapi.json", "schema.graphql", "database.sql"];
/** A field of GraphQL, with its description. */
const LANGUAGE = /(?<=\ntype Proof implements Node \{\n.*?)"""[^"]*"""\n {2}language: String!/s;
const RELEASED = "schema/released.json.gz";
let root: string;

const place = (file: string) => path.join(root, file);
const read = (file: string) => fs.readFileSync(place(file), "utf8");
function edit(file: string, part: RegExp | string, other: string) {
  const text = read(file);
  fs.writeFileSync(place(file), text.replace(part, other));
  expect(read(file)).not.toBe(text);
}
const kept = (): Record<string, string> => JSON.parse(gunzipSync(fs.readFileSync(place(RELEASED))).toString());
function write(version: string) {
  for (const file of ["package.json", "package-lock.json"]) fs.writeFileSync(place(file), JSON.stringify({ version }));
  const document = JSON.parse(fs.readFileSync(path.join(REAL, "openapi.json"), "utf8"));
  document.info.version = version;
  fs.writeFileSync(place("schema/openapi.json"), JSON.stringify(document));
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "selo-release-"));
  fs.mkdirSync(place("schema"));
  for (const file of FILES) fs.copyFileSync(path.join(REAL, file), place(`schema/${file}`));
  write("7.1.0");
  fs.writeFileSync(place("CHANGELOG.md"), "# Changelog\n\n## [Unreleased]\n\n## [7.1.0] - 2026-11-22\n\n- All.\n");
  expect(releaseSchema(root)).toEqual([]);
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

/** Removes a column of analysts, a field of GraphQL and a parameter of REST. */
function remove() {
  edit("schema/database.sql", "  first_registered_at timestamp with time zone,\n", "");
  edit("schema/schema.graphql", LANGUAGE, "");
  edit("schema/openapi.json", '"maximum":200', '"maximum":100');
}

test("what is kept is the schema itself, in the same bytes each time, and a check without changes finds nothing", () => {
  expect(kept()).toEqual(Object.fromEntries(FILES.map((file) => [file, read(`schema/${file}`)])));
  const bytes = fs.readFileSync(place(RELEASED));
  fs.rmSync(place(RELEASED));
  expect(releaseSchema(root)).toEqual([]);
  expect(fs.readFileSync(place(RELEASED)).equals(bytes)).toBe(true);
  expect(releaseFaults(root)).toEqual([]);
});

test("removals and narrowings are told as lines for CHANGELOG.md, and pass once they stand there", () => {
  remove();
  const [fault = "", ...others] = releaseFaults(root);
  expect(others).toEqual([]);
  const [words, ...lines] = fault.split("\n");
  expect(words).toMatch(/^Callers of 7\.1\.0 lose what CHANGELOG\.md does not name\. .*\[Unreleased\]/);
  expect(lines.sort()).toEqual([
    "- Analysts: `analytics.proofs_per_day.first_registered_at` was removed.",
    "- GraphQL: `Proof.language` was removed.",
    expect.stringMatching(/^- REST: `GET .*` has `maximum` `100` in place of `200`\.$/),
  ]);
  edit("CHANGELOG.md", "## [Unreleased]\n", `## [Unreleased]\n\n${lines.join("\n")}\n`);
  expect(releaseFaults(root)).toEqual([]);
});

test("line breaks, backticks and words around a sentence are free; the sentence is not", () => {
  edit("schema/schema.graphql", LANGUAGE, "");
  const named = (text: string) => {
    edit("CHANGELOG.md", /## \[Unreleased\][^#]*/, `## [Unreleased]\n\n${text}\n\n`);
    return releaseFaults(root).length === 0;
  };
  expect(named("- GraphQL: Proof.language\n  was removed. Ask for its organization's.")).toBe(true);
  expect(named("- Gone: GraphQL: `Proof.language` was removed.")).toBe(true);
  expect(named("- REST: `Proof.language` was removed.")).toBe(false);
  expect(named("- GraphQL: `Proof.language` was removed.more")).toBe(false);
  expect(named("- GraphQL: `Proof.language` is another.")).toBe(false);
});

test("what stands in the section of the released version, or below, names nothing", () => {
  edit("schema/schema.graphql", LANGUAGE, "");
  edit("CHANGELOG.md", "- All.", "- GraphQL: `Proof.language` was removed.");
  expect(releaseFaults(root)).toHaveLength(1);
});

test("other words and examples pass", () => {
  edit("schema/openapi.json", /"description":"[^"\\]*"/, '"description":"Other words."');
  edit("schema/schema.graphql", /"""[^"]*"""/, '"""Other words."""');
  edit("schema/database.sql", /(?<=comment on view api.tokens is ').*(?=';)/, "Other words.");
  expect(releaseFaults(root)).toEqual([]);
});

test("a further description of REST is compared by its title; one that is gone is named", () => {
  fs.cpSync(place("schema/openapi.json"), place("schema/openapi-notes.json"));
  const notes = read("schema/openapi.json").replace(/"title":"[^"]*"/, '"title":"Notes"');
  fs.writeFileSync(place(RELEASED), gzipSync(JSON.stringify({ ...kept(), "openapi-notes.json": notes })));
  edit("schema/openapi-notes.json", '"/me"', '"/you"');
  expect(releaseFaults(root).join()).toMatch(/\n- Notes: `GET \/me` was removed\./);
  fs.rmSync(place("schema/openapi-notes.json"));
  expect(releaseFaults(root).join()).toMatch(/\n- The description `openapi-notes\.json` was removed\.$/);
});

test.each([
  ["package.json", '"7.1.0"', '"7.2.0"', "package.json 7.2.0, package-lock.json 7.1.0, CHANGELOG.md 7.1.0"],
  ["package-lock.json", '"7.1.0"', '"7.2.0"', "package.json 7.1.0, package-lock.json 7.2.0, CHANGELOG.md 7.1.0"],
  ["CHANGELOG.md", "## [7.1.0]", "## [7.2.0]\n\n## [7.1.0]", "package-lock.json 7.1.0, CHANGELOG.md 7.2.0"],
])("another version in %s fails the check, and keeps nothing", (file, part, other, words) => {
  edit(file, part, other);
  expect(releaseFaults(root)).toEqual([expect.stringContaining(words)]);
  fs.rmSync(place(RELEASED));
  expect(releaseSchema(root)).toEqual([expect.stringContaining(words)]);
  expect(fs.existsSync(place(RELEASED))).toBe(false);
});

test("a new version is kept anew, from a schema that says the version", () => {
  edit("CHANGELOG.md", "## [7.1.0]", "## [7.2.0]\n\n## [7.1.0]");
  for (const file of ["package.json", "package-lock.json"]) edit(file, "7.1.0", "7.2.0");
  expect(releaseFaults(root)).toEqual([expect.stringContaining("schema/released.json.gz 7.1.0")]);
  expect(releaseSchema(root)).toEqual([expect.stringContaining("schema/openapi.json 7.1.0")]);
  write("7.2.0");
  remove();
  expect(releaseSchema(root)).toEqual([]);
  expect(releaseFaults(root)).toEqual([]);
  expect(kept()["database.sql"]).toBe(read("schema/database.sql"));
});

test("a released schema is not replaced by another of the same version", () => {
  remove();
  expect(releaseSchema(root)).toEqual([expect.stringContaining("has version 7.1.0 already")]);
  expect(releaseFaults(root)).toHaveLength(1);
});

test("without a kept schema the check says how to keep one", () => {
  fs.rmSync(place(RELEASED));
  expect(releaseFaults(root)).toEqual(["schema/released.json.gz is missing: run npm run release-schema"]);
});
