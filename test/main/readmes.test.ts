// The READMEs below src name files and folders: each of them exists.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readDocument } from "../support/documents.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const filesOf = (folder: string) => fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" });
const READMES = filesOf("src")
  .filter((file) => path.basename(file) === "README.md")
  .map((file) => `src/${file}`);
/** Names of all files and folders, for a text that names the folder above before, or none of many. */
const names = new Set(["src", "workers", "test", "sql"].flatMap(filesOf).map((file) => path.basename(file)));
/** This section of src/README.md names files by their old names. */
const OLD_NAMES = "\n## Old and new file names\n";

/** What stands between backticks and is a file of the source, or a folder with a slash at its end. */
function pathsOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, "");
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return quoted.filter((code) => /^[\w.-]+(\/[\w.-]+)*(\.(ts|tsx|css|html|sql|md)|\/)$/.test(code));
}

describe.each(READMES)("%s", (readme) => {
  test("names files and folders that exist", () => {
    const [text = ""] = readDocument(readme).split(OLD_NAMES);
    const missing = pathsOf(text).filter((named) => {
      const places = [path.dirname(readme), "src", ""].map((folder) => path.join(ROOT, folder, named));
      return !places.some((place) => fs.existsSync(place)) && !names.has(named.replace(/\/$/, ""));
    });
    expect(missing).toEqual([]);
  });
});

test("CONTRIBUTING names files, commands and packages that exist", () => {
  const text = readDocument("CONTRIBUTING.md");
  const isThere = (file: string) => fs.existsSync(path.join(ROOT, file));
  expect(pathsOf(text).filter((named) => !isThere(named))).toEqual([]);
  const { scripts } = JSON.parse(readDocument("package.json")) as { readonly scripts: Record<string, string> };
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  const [table = ""] = /\| packages \|.*?\n\n/s.exec(text) ?? [];
  const packages = table.split("\n").flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)]);
  const missing = packages.filter(([, name = ""]) => fs.globSync(`node_modules/${name}`, { cwd: ROOT }).length === 0);
  expect(packages.length).toBeGreaterThan(20);
  expect(missing.map(([, name]) => name)).toEqual([]);
});

test("a path is told from other code", () => {
  const text = "`a/b.ts`, `a/`, `b.tsx`, `application/pdf`, `/docs/`, `POST /a`, `<verb>.ts`\n```sh\n`c.ts`\n```\n";
  expect(pathsOf(text)).toEqual(["a/b.ts", "a/", "b.tsx"]);
});
