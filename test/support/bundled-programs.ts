// The programs that read what strangers sent (to check or seal a PDF, to read its signatures or a certificate), each bundled as `npm run build`
// does it: Node
// would strip the types and read the packages anew in each process, which takes longer than the work (in ms of CPU, checker 270
// from the sources and 80 bundled, sealer 240 and 120).
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Plugin } from "vitest/config";
import { bundleProgram } from "../../src/adapters/programs/bundle-programs.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Modules that start a program, and the program, which stands beside them. */
const STARTERS = [
  "src/adapters/pdf-check/check-pdf.ts",
  "src/adapters/pdf-seal/update-pdf.ts",
  "src/adapters/certificates/read-pkcs12.ts",
  "src/adapters/signer-certificate/run-child.ts",
  "src/adapters/pdf-signatures/read-signatures.ts",
];
/** How the starters name the program's folder, and its ending. */
const HERE = "import.meta.dirname";
const ENDING = "path.extname(import.meta.filename)";

/** Has the starters start the programs as they are bundled here. */
export function bundledPrograms(): Plugin {
  return {
    name: "bundled-programs",
    enforce: "pre",
    // What Vitest keeps of a starter names the program of an earlier run, and the program's own files may have changed since.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (STARTERS.includes(path.relative(ROOT, id)) ? false : null)),
    async transform(code, id) {
      const starter = path.relative(ROOT, id);
      if (!STARTERS.includes(starter)) return null;
      if (!code.includes(HERE) || !code.includes(ENDING)) throw new Error(`say here how ${starter} names its program`);
      const folder = await bundled(path.dirname(starter));
      return code.replaceAll(HERE, JSON.stringify(folder)).replaceAll(ENDING, JSON.stringify(".js"));
    },
  };
}

/** The folder of a program; one that is there was made from the same sources and packages. */
async function bundled(sources: string): Promise<string> {
  const hash = createHash("sha256").update(sources);
  // The check rehearses the seal, and the seal reads as the check does. The reader of signatures uses all of them but the seal.
  for (const name of [
    "package-lock.json",
    ...fs.globSync("src/adapters/{certificates,pdf-check,pdf-seal,pdf-signatures,signer-certificate,time-stamp}/**/*.ts", { cwd: ROOT }).sort(),
  ])
    hash.update(`${name}\n`).update(fs.readFileSync(path.join(ROOT, name)));
  const made = path.join(ROOT, "node_modules/.cache/programs", hash.digest("hex").slice(0, 16));
  // Tests know a program's process by the folder's name.
  const folder = path.join(made, path.basename(sources));
  if (fs.existsSync(folder)) return folder;

  const making = path.join(`${made}.${process.pid}`, path.basename(sources));
  await bundleProgram(ROOT, sources, making);
  fs.writeFileSync(path.join(making, "package.json"), '{"type":"module"}');
  try {
    fs.renameSync(path.dirname(making), made);
  } catch (error) {
    // Another run made it meanwhile.
    if (!fs.existsSync(folder)) throw error;
    fs.rmSync(path.dirname(making), { recursive: true });
  }
  return folder;
}
