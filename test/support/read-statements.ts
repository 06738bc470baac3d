import { vi } from "vitest";
import { PipelinedStatements } from "../../src/postgres/pipelined-statements.ts";

/** The statements that read views, while something is asked of a gateway in this process. */
export async function readStatements(ask: () => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(PipelinedStatements.prototype, "run");
  await ask();
  const reads = run.mock.contexts as unknown as PipelinedStatements[];
  const texts = reads.flatMap(({ statements }) => statements.map(({ text }) => text));
  run.mockRestore();
  return texts.filter((text) => /\bfrom "?api"?\./.test(text));
}
