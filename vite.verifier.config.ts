import { defineConfig } from "vite";

/** `vite build --config vite.verifier.config.ts`: dist/verifier/selo-verify.mjs, one file for any Node from 20 on. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: "src/selo-verify.ts",
    outDir: "dist/verifier",
    target: "node20",
    // Whoever runs it may want to read it first.
    minify: false,
    license: { fileName: "LICENSES.md" },
    rolldownOptions: { output: { entryFileNames: "selo-verify.mjs", codeSplitting: false } },
  },
  ssr: { noExternal: true },
});
