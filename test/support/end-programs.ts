// Of the files in test/system: a test that fails or times out leaves no program behind, whatever it was waiting for.
import { afterAll } from "vitest";
import { endPrograms } from "./selo-process.ts";

// Hooks of a setup file are called after those of the test file.
afterAll(endPrograms);
