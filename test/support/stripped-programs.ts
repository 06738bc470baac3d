// The programs that check uploads and read PDFs to be sealed, without their types: Node would strip them anew in each process,
// which takes twice as long as a check itself (270 ms with types, 80 ms without).
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Plugin } from "vitest/config";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ADAPTERS = path.join(ROOT, "src/adapters");
/** By the file that starts a program of its folder. */
const STARTERS: ReadonlyMap<string, string> = new Map([
  [path.join(ADAPTERS, "pdf-check/check-pdf.ts"), "pdf-check"],
  [path.join(ADAPTERS, "pdf-seal/seal-pdf.ts"), "pdf-seal"],
]);
/** How the sources name the program's folder, and its ending. */
const HERE = "import.meta.dirname";
const ENDING = "path.extname(import.meta.filename)";

/** Has programs started as the build makes them. */
export function strippedPrograms(): Plugin {
  return {
    name: "stripped-programs",
    enforce: "pre",
    transform(code, id) {
      const name = STARTERS.get(id);
      if (name === undefined) return null;
      if (!code.includes(HERE) || !code.includes(ENDING)) throw new Error(`say here how ${id} names its program`);
      return code.replaceAll(HERE, JSON.stringify(build(name))).replaceAll(ENDING, JSON.stringify(".js"));
    },
  };
}

/** The folder of a program; one that is there was made from the same sources. */
function build(name: string): string {
  const folderOfSources = path.join(ADAPTERS, name);
  const files = [folderOfSources, path.join(folderOfSources, "child")].flatMap((parent) =>
    fs.readdirSync(parent).flatMap((file) => (file.endsWith(".ts") ? [path.join(parent, file)] : [])),
  );
  const sources = files.map((file) => [path.relative(ADAPTERS, file), fs.readFileSync(file, "utf8")] as const);
  const hash = createHash("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 16);
  const made = path.join(ROOT, "node_modules/.cache/programs", hash);
  // Tests know a program's process by the folder's name.
  const folder = path.join(made, name);
  if (fs.existsSync(folder)) return folder;

  const { ESNext } = ts.ModuleKind;
  const options = { module: ESNext, target: ts.ScriptTarget.ESNext, rewriteRelativeImportExtensions: true };
  const making = `${made}.${process.pid}`;
  fs.mkdirSync(path.join(making, name, "child"), { recursive: true });
  fs.writeFileSync(path.join(making, name, "package.json"), '{"type":"module"}');
  for (const [file, source] of sources)
    fs.writeFileSync(
      path.join(making, file.replace(/ts$/, "js")),
      ts.transpileModule(source, { compilerOptions: options }).outputText,
    );
  try {
    fs.renameSync(making, made);
  } catch (error) {
    // Another run made it meanwhile.
    if (!fs.existsSync(folder)) throw error;
    fs.rmSync(making, { recursive: true });
  }
  return folder;
}
