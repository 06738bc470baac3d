import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // graphql 16 has no exports map: Vite would take its ES modules, Node gives the libraries its CommonJS ones, and
    // two copies refuse each other's schemas ("another module or realm"). A pattern, so that subpaths stay as they are.
    alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // A process per file: tests load native modules, change signals and limits, and are killed when they hang.
    pool: "forks",
    maxWorkers: 2,
    // The first test of a file waits for its database to be copied from the template.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
  },
});
