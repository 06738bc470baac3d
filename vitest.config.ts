import os from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { bundledPrograms } from "./test/support/bundled-programs.ts";
import { keptThreads } from "./test/support/keep-threads.ts";
import LongestFirst from "./test/support/longest-first.ts";

/** Of packages inside test/, such as those of the benchmarks. */
const PACKAGES = "**/node_modules/**";
/** Kills, outages, upgrades, browsers, another Postgres, whole programs of the command line. */
const SYSTEM = "test/system/**/*.test.ts";
/** What is exhaustive, in both: a cheaper form of each such check is in the other files. */
const FULL = "test/**/*.full.test.ts";
const CORES = os.availableParallelism();
/** For test/support/lane.ts. */
const IS_FULL = { isFull: true };
/** A package of its own, with its own node_modules: tests of test/system install and run it. */
const CLIENTS = "test/clients/**";
/** Files that start programs end them. */
const ENDING = ["test/support/end-programs.ts"];

export default defineConfig({
  plugins: [bundledPrograms(), keptThreads()],
  resolve: {
    // graphql 16 has no exports map: Vite would take its ES modules, Node gives the libraries its CommonJS ones, and
    // two copies refuse each other's schemas ("another module or realm"). A pattern, so that subpaths stay as they are.
    alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }],
  },
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // Processes: tests load native modules, change signals and limits, and are killed when they hang.
    pool: "forks",
    // Two more than cores: while one waits for Postgres, a clock or another program, the next one works.
    maxWorkers: CORES + 2,
    sequence: { sequencer: LongestFirst },
    // Guards against what never ends, not measures: a busy machine reaches none of them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    // Below the time of a test, so that a condition that never holds says what it was last.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ["test/support/tell-failure.ts"],
    projects: [
      // Files share a process: Apollo, PostGraphile and the PDF library are loaded once in each, not once for each file.
      project("fast", { include: ["test/**/*.test.ts"], exclude: [FULL, SYSTEM, CLIENTS, PACKAGES], isolate: false }),
      project("full", { include: [FULL], exclude: [SYSTEM, CLIENTS, PACKAGES], isolate: false, provide: IS_FULL }),
      project("system", {
        include: [SYSTEM],
        exclude: [FULL],
        setupFiles: ENDING,
        isolate: false,
      }),
      project("full-system", { include: ["test/system/**/*.full.test.ts"], setupFiles: ENDING, provide: IS_FULL }),
    ],
  },
});

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}
