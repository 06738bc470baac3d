import path from "node:path";

/** The programs that read what strangers sent, by the folder of the module that starts each. */
const STARTERS = [
  "src/adapters/pdf-check",
  "src/adapters/pdf-seal",
  "src/adapters/certificates",
  "src/adapters/signer-certificate",
  "src/adapters/pdf-signatures",
];

/** Bundles these programs in `dist`, where the compiler put their modules. */
export async function bundlePrograms(root: string, dist: string): Promise<void> {
  for (const folder of STARTERS) await bundleProgram(root, folder, path.join(dist, folder));
}

/**
 * Makes one file, `child/main.js`, of the program `child/main.ts` and of all packages that it loads at once, and one more of what it loads later.
 * Node permits these programs no cache of compiled code, and reads a bundle some 40 ms sooner than the packages.
 * @param folder of the program's sources, below `root`
 * @param into the folder that gets `child/`
 */
async function bundleProgram(root: string, folder: string, into: string): Promise<void> {
  // Imported only for a build: a production install does not have it.
  const { build } = await import("vite");
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    root,
    logLevel: "warn",
    build: {
      ssr: path.join(folder, "child/main.ts"),
      outDir: path.join(into, "child"),
      emptyOutDir: false,
      target: "node24",
      rolldownOptions: {
        output: {
          entryFileNames: "main.js",
          chunkFileNames: "[name]-[hash].js",
          // Shorter, with the names that a fault's stack shows.
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
        },
      },
    },
    ssr: { noExternal: true },
  });
}
