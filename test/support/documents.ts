import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Text of a document of the source. */
export function readDocument(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), "utf8");
}

/** Files of all guides. */
export const GUIDES: readonly string[] = fs
  .readdirSync(path.join(ROOT, "src/web/guides"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `src/web/guides/${file}`)
  .sort();

/** A block of code of a document. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The blocks of a document in their order; those without a language, too. */
export function codeBlocks(document: string): CodeBlock[] {
  return [...document.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }));
}
