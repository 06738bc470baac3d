// For test/system: a test that fails or times out leaves no program behind, and shows what its programs printed.
import { afterAll, beforeEach } from "vitest";
import { beginTest, endPrograms, lastOutputs } from "./selo-process.ts";

beforeEach(({ onTestFailed }) => {
  beginTest();
  onTestFailed(() => {
    const outputs = lastOutputs();
    if (outputs.length > 0) console.log(outputs.join("\n"));
  });
});

// Hooks of a setup file are called after those of the test file.
afterAll(endPrograms);
