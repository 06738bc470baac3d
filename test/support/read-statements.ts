import { vi } from "vitest";
import { PipelinedReads } from "../../src/postgres/pipelined-reads.ts";

/** The statements that read views, while something is asked of a gateway in this process. */
export async function readStatements(ask: () => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(PipelinedReads.prototype, "run");
  await ask();
  const messages = run.mock.contexts as unknown as PipelinedReads[];
  const texts = messages.flatMap(({ reads }) => reads.flatMap(({ begin, statement }) => [begin.text, statement.text]));
  run.mockRestore();
  return texts.filter((text) => /\bfrom "?api"?\./.test(text));
}
