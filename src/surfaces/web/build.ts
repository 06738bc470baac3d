import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { packageRoot } from "../../adapters/programs/package-root.ts";
import { pdfWorkerPlugin } from "./build-pdf-worker.ts";
import { COMMON_DOCUMENT, documentsIn, FILES_FOLDER, MANIFEST, VERIFIER } from "./built-files.ts";

/** All files whose change changes the build. */
export const SOURCES = [
  "src/web",
  "src/verifier",
  "src/receiver",
  "src/pkcs12",
  "src/services/signature/commands",
  "src/surfaces/cli",
  "src/surfaces/http/escape-html.ts",
  "src/surfaces/web/build.ts",
  "src/surfaces/web/build-font.ts",
  "src/surfaces/web/built-files.ts",
  "src/surfaces/web/build-guides.ts",
  "src/surfaces/web/build-pages.ts",
  "src/surfaces/web/build-pdf-worker.ts",
  "src/surfaces/web/highlight.ts",
  "src/surfaces/web/markdown.ts",
  "SECURITY.md",
  "tsconfig.json",
  "package-lock.json",
] as const;
/** Files that are worth compressing, once at the build, not at every request. */
const COMPRESSIBLE = /\.(js|mjs|css|svg)$/;

/** The folder of the built web app: dist/web, with `pages/` in each language, and `assets/`, whose names contain a hash of their content. */
export function webAppFolder(root = packageRoot()): string {
  return path.join(root, "dist/web");
}

/** Whether dist/web was built from exactly these sources. */
export function isWebAppBuilt(root = packageRoot()): boolean {
  return stampOf(webAppFolder(root)) === sourcesHash(root);
}

/**
 * Builds the web app unless dist/web was built from exactly these sources. Vite is loaded only for a build, because a production
 * install does not have it. The build is made in a separate folder and moved into place when it is complete.
 */
export async function ensureWebApp(root = packageRoot()): Promise<void> {
  const folder = webAppFolder(root);
  const stamp = sourcesHash(root);
  if (stampOf(folder) === stamp) return;
  const dist = path.dirname(folder);
  fs.mkdirSync(dist, { recursive: true });
  const building = fs.mkdtempSync(path.join(dist, ".web-"));
  fs.chmodSync(building, 0o755); // only its maker can read a temporary folder
  try {
    await bundle(root, building);
    // Imported only for a build: a production install has no Markdown parser either.
    await (await import("./build-pages.ts")).buildPages(root, building);
    fs.cpSync(path.join(root, "src/web", FILES_FOLDER), path.join(building, FILES_FOLDER), { recursive: true });
    await bundleVerifier(root, building);
    await compress(building);
    fs.writeFileSync(path.join(building, "stamp"), stamp);
    replace(folder, building);
  } finally {
    for (const made of [building, fontFolder(building)]) fs.rmSync(made, { recursive: true, force: true });
  }
}

/** Beside the folder of the build, which the bundler empties. */
const fontFolder = (outDir: string) => `${outDir}-font`;

async function bundle(root: string, outDir: string): Promise<void> {
  const { build } = await import("vite");
  // Imported only for a build: a production install does not have what cuts fonts either.
  const { FONT, fontPlugin, writeFont } = await import("./build-font.ts");
  const web = path.join(root, "src/web");
  const font = path.join(fontFolder(outDir), FONT);
  await writeFont(font);
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    root: web,
    cacheDir: path.join(outDir, ".vite"),
    logLevel: "warn",
    build: {
      outDir,
      emptyOutDir: true,
      // Nothing inline: the pages' policy allows only scripts, styles and fonts that are files of ours.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: MANIFEST,
      rolldownOptions: {
        // Packages say which of their modules need a browser. All of our modules run in one.
        onLog: (level, log, handle) => {
          if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
        },
        // What all pages share is one file each: the many parts that the bundler makes of it weigh 3 kB more (gzip).
        output: {
          codeSplitting: {
            groups: [
              { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\// },
              { name: "shell", test: /src\/web\/(?:design|shell)\/.+\.tsx$/, minShareCount: 3 },
            ],
          },
        },
        // The names of files under /assets/ begin with that of the folder.
        input: Object.fromEntries(
          documentsIn(web).map((file) => [
            file === COMMON_DOCUMENT ? "page" : path.dirname(file),
            path.join(web, file),
          ]),
        ),
      },
    },
    plugins: [fontPlugin(font)],
    worker: { format: "es", plugins: () => [pdfWorkerPlugin()] },
    // Also where NODE_ENV is set to something else, as in tests: React would be its development build, half as large again.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    oxc: { jsx: { runtime: "automatic", importSource: "react", development: false } },
  });
}

async function bundleVerifier(root: string, outDir: string): Promise<void> {
  const { build } = await import("vite");
  const folder = path.join(outDir, ".verifier");
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    root,
    cacheDir: path.join(outDir, ".vite"),
    logLevel: "warn",
    build: {
      ssr: "src/services/signature/commands/selo-verify.ts",
      outDir: folder,
      target: "node20",
      // Not minified, because its users may want to read it first.
      minify: false,
      license: { fileName: "LICENSES.md" },
      rolldownOptions: { output: { entryFileNames: VERIFIER, codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
  const [code, licenses] = [VERIFIER, "LICENSES.md"].map((name) => fs.readFileSync(path.join(folder, name), "utf8"));
  // The licenses of the bundled packages stand in the same file.
  fs.writeFileSync(path.join(outDir, VERIFIER), `${code}\n/*\n${licenses?.replaceAll("*/", "* /")}*/\n`);
  fs.rmSync(folder, { recursive: true });
}

async function compress(folder: string): Promise<void> {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => COMPRESSIBLE.test(file));
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all(
    files.map(async (file) => {
      const content = fs.readFileSync(path.join(folder, file));
      fs.writeFileSync(path.join(folder, `${file}.br`), await promisify(brotliCompress)(content, brotli));
      fs.writeFileSync(path.join(folder, `${file}.gz`), await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/** Another process may have built meanwhile. Then one of the two builds stays; both are complete. */
function replace(folder: string, built: string): void {
  const old = `${built}-old`;
  if (fs.existsSync(folder)) fs.renameSync(folder, old);
  try {
    fs.renameSync(built, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
  }
  fs.rmSync(old, { recursive: true, force: true });
}

/** The content of the stamp of a build from these sources. */
export function sourcesHash(root: string): string {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((source) => filesBelow(root, source)).sort()) {
    const content = fs.readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function filesBelow(root: string, source: string): string[] {
  if (!fs.statSync(path.join(root, source)).isDirectory()) return [source];
  return fs
    .readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function stampOf(folder: string): string | null {
  const file = path.join(folder, "stamp");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
}
