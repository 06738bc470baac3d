import { afterEach } from "vitest";
import type { SeloProcess } from "../../support/selo-process.ts";

/** Programs that a test may kill. Those that are started this way are killed after each test of the file. */
export function killedPrograms() {
  const running: SeloProcess[] = [];
  const started = async (one: Promise<SeloProcess>): Promise<SeloProcess> => {
    const process = await one;
    running.push(process);
    return process;
  };
  const killed = async ({ child, finished }: SeloProcess): Promise<void> => {
    child.kill("SIGKILL");
    await finished;
  };
  afterEach(async () => {
    for (const one of running.splice(0)) await killed(one);
  });
  return { started, killed };
}
