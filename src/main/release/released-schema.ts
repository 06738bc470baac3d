// The file RELEASED holds the schema/ of the last release. `npm run check` compares schema/ with it.
import fs from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { newestVersion, unnamed } from "./changelog.ts";
import { databaseNarrowings } from "./database-narrowings.ts";
import { graphqlNarrowings } from "./graphql-narrowings.ts";
import { type OpenApi, openApiNarrowings } from "./openapi-narrowings.ts";

/** The texts of the files of schema/, by their names: JSON, compressed. */
const RELEASED = "schema/released.json.gz";
const MAIN_DOCUMENT = "openapi.json";
const COMMAND = "npm run release-schema";

/** Texts of files, by their names. */
type Texts = Readonly<Record<string, string>>;

/**
 * The faults of this version's schema/. Either the versions of package.json, package-lock.json, the newest section of CHANGELOG.md and the last release's schema differ.
 * Or schema/ lacks or narrows something of the last release, and CHANGELOG.md does not name the change.
 * @param root the folder of package.json
 * @returns a text for people for each fault
 */
export function releaseFaults(root: string): string[] {
  const before = readReleased(root);
  if (before === null) return [`${RELEASED} is missing: run ${COMMAND}`];
  const changelog = read(root, "CHANGELOG.md");
  const released = versionOf(before);
  const faults = versionFaults({ ...writtenVersions(root), [RELEASED]: released });
  const sentences = unnamed(narrowings(before, readSchema(root)), changelog, released);
  if (sentences.length === 0) return faults;
  const lines = sentences.map((each) => `- ${each}`).join("\n");
  return [
    ...faults,
    `Callers of ${released} lose what CHANGELOG.md does not name. Undo it, or add under [Unreleased] in these words, with what callers do instead:\n${lines}`,
  ];
}

/**
 * Keeps schema/ in one file, for the version of package.json. The same schema/ gives the same bytes.
 * @param root the folder of package.json
 * @returns why nothing was kept; empty otherwise. The written versions may differ, or this version may be kept already, which never changes.
 */
export function releaseSchema(root: string): string[] {
  const now = readSchema(root);
  const offered = versionOf(now);
  const faults = versionFaults({ ...writtenVersions(root), [`schema/${MAIN_DOCUMENT}`]: offered });
  if (faults.length > 0) return faults;
  const before = readReleased(root);
  if (before !== null && versionOf(before) === offered)
    return [`${RELEASED} has version ${offered} already. Remove the file first if that version is not out yet.`];
  fs.writeFileSync(path.join(root, RELEASED), gzipSync(JSON.stringify(now), { level: 9 }));
  return [];
}

/** The texts of the last release's schema/; null without a release. */
function readReleased(root: string): Texts | null {
  const file = path.join(root, RELEASED);
  return fs.existsSync(file) ? (JSON.parse(gunzipSync(fs.readFileSync(file)).toString()) as Texts) : null;
}

/** Differences by which `now` offers less than `before`: a sentence for each, without repetition. */
function narrowings(before: Texts, now: Texts): string[] {
  const found = Object.entries(before).flatMap(([file, old]) => {
    const text = now[file];
    if (text === undefined) return [`The description \`${file}\` was removed.`];
    if (file.endsWith(".json")) {
      const document = JSON.parse(old) as OpenApi;
      const surface = file === MAIN_DOCUMENT ? "REST" : document.info.title;
      return openApiNarrowings(document, JSON.parse(text) as OpenApi, surface);
    }
    const compare = file.endsWith(".graphql") ? graphqlNarrowings : databaseNarrowings;
    return compare(old, text);
  });
  return [...new Set(found)];
}

/** The texts of schema/, in the order of their names. */
function readSchema(root: string): Texts {
  const files = fs.readdirSync(path.join(root, "schema")).filter((file) => /\.(json|graphql|sql)$/.test(file));
  return Object.fromEntries(files.sort().map((file) => [file, read(root, "schema", file)]));
}

const read = (root: string, ...names: string[]) => fs.readFileSync(path.join(root, ...names), "utf8");

const versionOf = (texts: Texts) => (JSON.parse(texts[MAIN_DOCUMENT] ?? "") as OpenApi).info.version;

/** The versions that people write, by file. */
function writtenVersions(root: string): Record<string, string | undefined> {
  const version = (file: string) => (JSON.parse(read(root, file)) as { version?: string }).version;
  return {
    "package.json": version("package.json"),
    "package-lock.json": version("package-lock.json"),
    "CHANGELOG.md": newestVersion(read(root, "CHANGELOG.md")),
  };
}

function versionFaults(versions: Record<string, string | undefined>): string[] {
  if (new Set(Object.values(versions)).size === 1) return [];
  const list = Object.entries(versions).map(([place, version]) => `${place} ${version ?? "none"}`);
  return [`Versions differ: ${list.join(", ")}. CONTRIBUTING.md has the steps of a release.`];
}
