import path from "node:path";
import { z } from "zod";
import { sealerFolders } from "../pdf-seal/sealer-folders.ts";
import { type ProgramEnd, type ProgramLimits, runConfined } from "../programs/confined-program.ts";
import {
  type Answer,
  DANGERS,
  type Failed,
  type Quarantined,
  REFUSALS,
  type Ready,
  type Unprocessable,
} from "./verdict.ts";

export interface PdfLimits extends ProgramLimits {
  /** A larger file is an error of the caller, which counts while it receives the file. */
  bytes: number;
  pages: number;
}

export const PDF_LIMITS: Readonly<PdfLimits> = {
  bytes: 50 * 1024 * 1024,
  pages: 2000,
  cpuSeconds: 20,
  wallSeconds: 30,
  residentBytes: 512 * 1024 * 1024,
};

/** A check that runs. Neither promise needs to be awaited: an error of one that nobody awaits ends no process. */
export interface PdfCheck {
  /** As soon as it is known whether the file can be read: why nothing of it is kept, or undefined. */
  shallow: Promise<Unprocessable | undefined>;
  /** The verdict, when the program has ended. Damage in an object that no page needs is found only here. */
  deep: Promise<Unprocessable | Quarantined | Ready | Failed>;
}

export interface PdfCheckOptions {
  limits?: Partial<PdfLimits>;
  /** Ends the check: both promises reject with its reason. */
  signal?: AbortSignal | undefined;
}

/** The caller gave more bytes than `limits.bytes`. */
export class PdfTooLarge extends Error {
  override readonly name = "PdfTooLarge";
}

const answers: z.ZodType<Answer> = z.discriminatedUnion("stage", [
  z.strictObject({ stage: z.literal("shallow") }),
  z.strictObject({ stage: z.literal("harmless") }),
  z.strictObject({
    stage: z.literal("deep"),
    verdict: z.discriminatedUnion("verdict", [
      z.strictObject({ verdict: z.literal("unprocessable"), reason: z.enum(REFUSALS) }),
      z.strictObject({ verdict: z.literal("quarantined"), reason: z.enum(DANGERS) }),
      z.strictObject({
        verdict: z.literal("ready"),
        pages: z.array(z.strictObject({ width: z.number().positive(), height: z.number().positive() })).min(1),
        signed: z.literal(true).optional(),
        certified: z.literal(true).optional(),
      }),
    ]),
  }),
]);

/**
 * Checks an uploaded PDF in a separate process, see README.md of this folder.
 * @param bytes the upload; its pieces go to that process as they come, and are never held together here
 * @throws (both promises) PdfTooLarge; the signal's reason; what `bytes` throws
 */
export function checkPdf(bytes: AsyncIterable<Buffer>, options: PdfCheckOptions = {}): PdfCheck {
  const shallow = Promise.withResolvers<Unprocessable | undefined>();
  const deep = run(bytes, options, () => shallow.resolve(undefined));
  deep.then((verdict) => shallow.resolve(verdict.verdict === "unprocessable" ? verdict : undefined), shallow.reject);
  shallow.promise.catch(() => {});
  return { shallow: shallow.promise, deep };
}

async function run(bytes: AsyncIterable<Buffer>, options: PdfCheckOptions, onReadable: () => void): PdfCheck["deep"] {
  const limits = { ...PDF_LIMITS, ...options.limits };
  let verdict: Unprocessable | Quarantined | Ready | undefined;
  // Tests run the sources, the product what is built from them: the ending tells which.
  const program = path.join(import.meta.dirname, `child/main${path.extname(import.meta.filename)}`);
  const allowed = { bytes: limits.bytes, pages: limits.pages, cpuSeconds: limits.cpuSeconds };
  let isHarmless = false;
  let wrong: unknown;
  const { end, complaint } = await runConfined({
    program,
    folders: sealerFolders(),
    argument: JSON.stringify(allowed),
    input: atMost(bytes, limits.bytes),
    limits,
    signal: options.signal,
    onLine: (line) => {
      // A program that was taken over could write anything.
      try {
        const answer = answers.parse(JSON.parse(line));
        if (answer.stage === "deep") verdict = answer.verdict;
        else if (answer.stage === "harmless") isHarmless = true;
        else onReadable();
      } catch (error) {
        wrong = error;
      }
    },
  });
  if (isBomb(end)) return { verdict: "quarantined", reason: isHarmless ? "unsealable" : "bomb" };
  if (end.by === "itself" && end.code === 0 && verdict && !wrong) return verdict;
  return { verdict: "failed", detail: `${JSON.stringify(end)} ${wrong ?? ""} ${complaint}`.trim() };
}

/** The file made the program need too much. V8 aborts at the limit of its heap. */
function isBomb(end: ProgramEnd): boolean {
  if (end.by === "limit") return end.limit !== "input";
  return end.signal === "SIGABRT" || end.signal === "SIGTRAP" || end.code === 134;
}

async function* atMost(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > most) throw new PdfTooLarge(`the file has more than ${most} bytes`);
    yield piece;
  }
}
