import os from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import LongestFirst from "./test/support/longest-first.ts";
import { strippedPrograms } from "./test/support/stripped-programs.ts";

/** Of packages inside test/, such as those of the benchmarks. */
const PACKAGES = "**/node_modules/**";
/** Kills, outages, upgrades, browsers, another Postgres, whole programs of the command line. */
const SYSTEM = "test/system/**/*.test.ts";
/** What is exhaustive, in both: a cheaper form of each such check is in the other files. */
const FULL = "test/**/*.full.test.ts";
/** A package of its own, with its own node_modules: tests of test/system install and run it. */
const CLIENTS = "test/clients/**";
/** Files with a process of their own end the programs that they started. */
const ALONE = ["test/support/end-programs.ts"];

export default defineConfig({
  plugins: [strippedPrograms()],
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
    sequence: { sequencer: LongestFirst },
    // The first test of a file waits for its database to be copied from the template.
    testTimeout: 20_000,
    // What is polled for comes as soon as the machine lets it: Vitest's one second is a busy machine's.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    setupFiles: ["test/support/tell-failure.ts"],
    projects: [
      // Files share a process: Apollo, PostGraphile and the PDF library are loaded once in each, not once for each file.
      project("fast", { include: ["test/**/*.test.ts"], exclude: [FULL, SYSTEM, CLIENTS, PACKAGES], isolate: false }),
      project("full", { include: [FULL], exclude: [SYSTEM, CLIENTS, PACKAGES], isolate: false }),
      project("system", { include: [SYSTEM], exclude: [FULL], setupFiles: ALONE }),
      project("full-system", { include: ["test/system/**/*.full.test.ts"], setupFiles: ALONE }),
    ],
  },
});

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}
