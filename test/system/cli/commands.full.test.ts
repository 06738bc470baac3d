// Every command of an operator where nothing runs: Postgres comes up for each, and is gone after it.
import { afterAll, expect, test } from "vitest";
import { postmasterPid, preparedDataFolder, processesIn } from "../../support/selo-process.ts";
import { everyCommand } from "./every-command.ts";

const folder = preparedDataFolder();
afterAll(() => folder.remove());

test("every command with --json, without a running start", async () => {
  await everyCommand({ SELO_DATA_DIR: folder.path }, async () => {
    expect(postmasterPid(folder.path)).toBeNull();
  });
  expect(processesIn(folder.path)).toEqual([]);
}, 120_000);
