import os from "node:os";
import { defineConfig } from "vitest/config";
import SlowFirst from "./test/support/slow-first.ts";
import { strippedChecker } from "./test/support/stripped-checker.ts";

/** Of packages inside test/, such as those of the benchmarks. */
const PACKAGES = "**/node_modules/**";
/** Kills, outages, upgrades, browsers, another Postgres, whole programs of the command line. */
const SYSTEM = "test/system/**/*.test.ts";
/** A package of its own, with its own node_modules: tests of test/system install and run it. */
const CLIENTS = "test/clients/**";

export default defineConfig({
  plugins: [strippedChecker()],
  resolve: {
    // graphql 16 has no exports map: Vite would take its ES modules, Node gives the libraries its CommonJS ones, and
    // two copies refuse each other's schemas ("another module or realm"). A pattern, so that subpaths stay as they are.
    alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }],
  },
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // Processes: tests load native modules, change signals and limits, and are killed when they hang.
    pool: "forks",
    // One more than cores: while one waits for Postgres, a clock or another program, the next one works.
    maxWorkers: os.availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    // The first test of a file waits for its database to be copied from the template.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    projects: [
      {
        extends: true,
        // Files share a process: Apollo, PostGraphile and the PDF library are loaded once in each, not once for each file.
        test: { name: "fast", include: ["test/**/*.test.ts"], exclude: [SYSTEM, CLIENTS, PACKAGES], isolate: false },
      },
      {
        extends: true,
        test: { name: "system", include: [SYSTEM], isolate: true, setupFiles: ["test/support/end-programs.ts"] },
      },
    ],
  },
});
