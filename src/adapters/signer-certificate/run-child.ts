import path from "node:path";
import { type ProgramLimits, runConfined } from "../programs/confined-program.ts";
import type { Order } from "./messages.ts";

/** Judging needs some 0.05 s and 50 MiB; a list of 10 MiB some 0.4 s and 75 MiB. Only a busy machine reaches the wall limit. */
const LIMITS: Readonly<ProgramLimits> = { cpuSeconds: 5, wallSeconds: 20, residentBytes: 256 * 1024 * 1024 };

export interface ChildOptions {
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<ProgramLimits> | undefined;
}

/** The program came to no result, for a reason that lies in no certificate: try again. */
export class CertificateUnjudged extends Error {
  override readonly name = "CertificateUnjudged";
}

/**
 * Has the confined program of child/ do one task.
 * @param content comes behind the order
 * @returns its answer, parsed and not checked: a program that was taken over could write anything. Null where the input made it need too much
 * @throws CertificateUnjudged; the signal's reason
 */
export async function runChild(
  order: Order,
  content: Buffer,
  { signal, limits }: ChildOptions,
): Promise<{ readonly answer: unknown } | null> {
  const told = Buffer.from(JSON.stringify(order));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(told.length);
  const lines: string[] = [];
  const { end, complaint } = await runConfined({
    // Tests run the sources, the product what is built from them: the ending tells which.
    program: path.join(import.meta.dirname, `child/main${path.extname(import.meta.filename)}`),
    // It loads no package.
    folders: [import.meta.dirname, path.join(import.meta.dirname, "../certificates")],
    argument: String(length.length + told.length + content.length),
    input: pieces([length, told, content]),
    limits: { ...LIMITS, ...limits },
    signal,
    onLine: (line) => lines.push(line),
  });
  if (end.by === "limit" && (end.limit === "cpu" || end.limit === "memory")) return null;
  // V8 aborts at the limit of its heap.
  if (end.by === "itself" && (end.signal === "SIGABRT" || end.signal === "SIGTRAP" || end.code === 134)) return null;
  if (end.by !== "itself" || end.code !== 0)
    throw new CertificateUnjudged(
      `the judge of certificates came to no result: ${JSON.stringify(end)} ${complaint}`.trim(),
    );
  try {
    return { answer: JSON.parse(lines.join("")) };
  } catch {
    throw new CertificateUnjudged("the judge of certificates gave an answer of another shape");
  }
}

async function* pieces(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}
