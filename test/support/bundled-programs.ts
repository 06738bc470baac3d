// The programs that read what strangers sent (to check a PDF, to seal one, to read its signatures or a certificate), each started from a snapshot of V8's heap in which its
// modules are loaded: Node would strip the types, read the packages and compile them anew in each process, which takes longer than the
// work (a seal, in ms of CPU: 240 from the sources, 140 from the bundle of `npm run build`, 75 from the snapshot; Node alone takes 30).
// A build makes no snapshots, since only the same Node on the same kind of processor reads one.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import v8 from "node:v8";
import { build, type Plugin } from "vite";

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
/** What starts the programs, and how it names one for Node. */
const RUNNER = "src/adapters/programs/confined-program.ts";
const PROGRAM = "given.program,\n";
const SNAPSHOT =
  '...(given.program.endsWith(".blob") ? ["--snapshot-blob", given.program, "main"] : [given.program]),\n';

/** Has the starters start the programs from their snapshots. */
export function bundledPrograms(): Plugin {
  return {
    name: "bundled-programs",
    enforce: "pre",
    // What Vitest keeps of a starter names the program of an earlier run, and the program's own files may have changed since.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => ([...STARTERS, RUNNER].includes(path.relative(ROOT, id)) ? false : null)),
    async transform(code, id) {
      const module = path.relative(ROOT, id);
      if (module === RUNNER) {
        if (!code.includes(PROGRAM)) throw new Error(`say here how ${module} names a program`);
        return code.replace(PROGRAM, SNAPSHOT);
      }
      if (!STARTERS.includes(module)) return null;
      if (!code.includes(HERE) || !code.includes(ENDING)) throw new Error(`say here how ${module} names its program`);
      const folder = await bundled(path.dirname(module));
      return code.replaceAll(HERE, JSON.stringify(folder)).replaceAll(ENDING, JSON.stringify(".blob"));
    },
  };
}

/** The folder of a program; what is there was made from the same sources and packages, by the same Node. */
async function bundled(sources: string): Promise<string> {
  const hash = createHash("sha256").update(
    `${sources} ${process.version} ${process.arch} ${v8.cachedDataVersionTag()}`,
  );
  // The check rehearses the seal, and the seal reads as the check does. The reader of signatures uses all of them but the seal.
  for (const name of [
    "package-lock.json",
    "test/support/bundled-programs.ts",
    ...fs
      .globSync("src/adapters/{certificates,pdf-check,pdf-seal,pdf-signatures,signer-certificate,time-stamp}/**/*.ts", {
        cwd: ROOT,
      })
      .sort(),
  ])
    hash.update(`${name}\n`).update(fs.readFileSync(path.join(ROOT, name)));
  const made = path.join(ROOT, "node_modules/.cache/programs", hash.digest("hex").slice(0, 16));
  // Tests know a program's process by the folder's name.
  const folder = path.join(made, path.basename(sources));
  if (fs.existsSync(folder)) return folder;

  const making = path.join(`${made}.${process.pid}`, path.basename(sources));
  await makeSnapshot(path.join(ROOT, sources, "child/main.ts"), path.join(making, "child"));
  try {
    fs.renameSync(path.dirname(making), made);
  } catch (error) {
    // Another run made it meanwhile.
    if (!fs.existsSync(folder)) throw error;
    fs.rmSync(path.dirname(making), { recursive: true });
  }
  return folder;
}

/** What stands above a program's own statements: comments and imports. */
const IMPORTS = /^(?:\/\/.*\n|import [^;]*;\n|\n)*/;
/** What it loads only when it needs it: then its compiled form is in the snapshot all the same. */
const LATER = /\bimport\("[^"]+"\)/g;

/** Makes `main.blob`: all modules are loaded, and the program's own statements run when a process starts from it. */
async function makeSnapshot(main: string, folder: string): Promise<void> {
  const atStart: Plugin = {
    name: "at-start",
    enforce: "pre",
    transform(code, id) {
      if (id !== main) return null;
      const [imports = ""] = IMPORTS.exec(code) ?? [];
      return `import v8 from "node:v8";
${imports}
${[...code.matchAll(LATER)].map(([later]) => `void ${later};`).join("\n")}
v8.startupSnapshot.setDeserializeMainFunction(async () => {
${code.slice(imports.length)}
});`;
    },
  };
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    root: ROOT,
    logLevel: "warn",
    plugins: [atStart],
    build: {
      ssr: main,
      outDir: folder,
      emptyOutDir: false,
      target: "node24",
      rolldownOptions: {
        output: {
          format: "cjs",
          entryFileNames: "main.cjs",
          codeSplitting: false,
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
        },
      },
    },
    ssr: { noExternal: true },
  });
  const snapshot = path.join(folder, "main.blob");
  execFileSync(process.execPath, ["--snapshot-blob", snapshot, "--build-snapshot", path.join(folder, "main.cjs")], {
    env: {},
  });
}
