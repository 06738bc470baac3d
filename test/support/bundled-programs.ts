// The program that checks uploads, without its types: Node would strip them anew in the process of each check, which takes
// twice as long as the check itself (270 ms with types, 80 ms without).
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Plugin } from "vitest/config";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SOURCES = path.join(ROOT, "src/adapters/pdf-check");
/** How the sources name the program's folder, and its ending. */
const HERE = "import.meta.dirname";
const ENDING = "path.extname(import.meta.filename)";

/** Has `check-pdf.ts` start the program as the build makes it. */
export function strippedChecker(): Plugin {
  return {
    name: "stripped-checker",
    enforce: "pre",
    transform(code, id) {
      if (id !== path.join(SOURCES, "check-pdf.ts")) return null;
      if (!code.includes(HERE) || !code.includes(ENDING))
        throw new Error("say here how check-pdf.ts names its program");
      return code.replaceAll(HERE, JSON.stringify(build())).replaceAll(ENDING, JSON.stringify(".js"));
    },
  };
}

/** The folder of the program; one that is there was made from the same sources. */
function build(): string {
  const names = ["verdict.ts", ...fs.readdirSync(path.join(SOURCES, "child")).map((name) => `child/${name}`)];
  const sources = names.map((name) => [name, fs.readFileSync(path.join(SOURCES, name), "utf8")] as const);
  const hash = createHash("sha256").update(JSON.stringify(sources)).digest("hex").slice(0, 16);
  const made = path.join(ROOT, "node_modules/.cache/checker", hash);
  // Tests know a checker's process by the folder's name.
  const folder = path.join(made, "pdf-check");
  if (fs.existsSync(folder)) return folder;

  const { ESNext } = ts.ModuleKind;
  const options = { module: ESNext, target: ts.ScriptTarget.ESNext, rewriteRelativeImportExtensions: true };
  const making = `${made}.${process.pid}`;
  fs.mkdirSync(path.join(making, "pdf-check/child"), { recursive: true });
  fs.writeFileSync(path.join(making, "pdf-check/package.json"), '{"type":"module"}');
  for (const [name, source] of sources)
    fs.writeFileSync(
      path.join(making, "pdf-check", name.replace(/ts$/, "js")),
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
