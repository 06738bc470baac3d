import path from "node:path";
import { z } from "zod";
import { codeFolders } from "../programs/code-folders.ts";
import { type ProgramEnd, type ProgramLimits, runConfined } from "../programs/confined-program.ts";
import { answersOfJudge, type Judged, judgedOf, type Refused } from "../signer-certificate/judge-certificate.ts";
import type { Root } from "../signer-certificate/read-roots.ts";
import {
  INTEGRITIES,
  type Integrity,
  type Order,
  REFUSALS,
  type Refusal,
  type Signer,
  TIME_STAMPS,
  type TimeStamp,
} from "./answer.ts";

/** A file of 50 MiB that is made to hurt needs half of these. */
const LIMITS: Readonly<ProgramLimits> = { cpuSeconds: 20, wallSeconds: 30, residentBytes: 512 * 1024 * 1024 };
/** Each signature brings up to ten certificates. */
const MOST_OUTPUT = 32 * 1024 * 1024;

/** A signature of a PDF: README.md says what each member means. */
export interface PdfSignature {
  readonly format: string | null;
  readonly integrity: Integrity;
  readonly coversWholeFile: boolean;
  readonly signer: Signer | null;
  readonly signedAt: Date | null;
  readonly timestamp: TimeStamp;
  /** What the judge of ICP-Brasil's certificates says; null where the signature is not valid, or no authority is known. */
  readonly judged: Judged | Refused | null;
}

/** The signatures of a file: none of a file that is no PDF. */
export type PdfSignatures = { readonly signatures: readonly PdfSignature[] } | { readonly refused: Refusal };

export interface Trusted {
  /** The authorities of ICP-Brasil. */
  readonly authorities: readonly Root[];
  /** DER: roots of authorities that stamp times, beside those of ICP-Brasil. */
  readonly stampRoots: readonly Buffer[];
}

export interface ReadOptions {
  /** The size of the file, in bytes. */
  readonly bytes: number;
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<ProgramLimits> | undefined;
}

/** The program came to no result, for a reason that does not lie in the file: try again. */
export class SignaturesUnread extends Error {
  override readonly name = "SignaturesUnread";
}

const seen = z.strictObject({
  format: z.string().max(64).nullable(),
  integrity: z.enum(INTEGRITIES),
  covers_whole_file: z.boolean(),
  signer: z
    .strictObject({
      name: z.string(),
      cpf: z
        .string()
        .regex(/^\d{11}$/)
        .nullable(),
      issuer: z.string(),
      // Old programs gave negative numbers (RFC 5280, 4.1.2.2 wants readers to take them).
      serial: z.string().regex(/^-?[0-9A-F]+$/),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .nullable(),
  signed_at: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .nullable(),
  timestamp: z.enum(TIME_STAMPS),
  judged: answersOfJudge.nullable(),
  chain: z.array(z.base64()),
});
const answers = z.union([
  z.strictObject({ refused: z.enum(REFUSALS) }),
  z.strictObject({ is_pdf: z.boolean(), signatures: z.array(seen).max(100) }),
]);

/**
 * Reads and checks the signatures of a PDF in a confined process, see README.md of this folder.
 * @param file its pieces go to that process as they come, and are never held together here
 * @throws SignaturesUnread; the signal's reason; what `file` throws
 */
export async function readSignatures(
  file: AsyncIterable<Buffer>,
  trusted: Trusted,
  { bytes, now, signal, limits }: ReadOptions,
): Promise<PdfSignatures> {
  const { authorities, stampRoots } = trusted;
  const roots = authorities.filter(({ isRoot }) => isRoot).map(({ certificate }) => certificate);
  const order: Order = {
    authorities: authorities.map(({ certificate, subject, isRoot }) => ({
      certificate: certificate.toString("base64"),
      subject: subject.toString("base64"),
      isRoot,
    })),
    stampRoots: [...stampRoots, ...roots].map((each) => each.toString("base64")),
    now: now.toISOString(),
  };
  const told = Buffer.from(JSON.stringify(order));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(told.length);
  const lines: string[] = [];
  const { end, complaint } = await runConfined({
    // Tests run the sources, the product what is built from them: the ending tells which.
    program: path.join(import.meta.dirname, `child/main${path.extname(import.meta.filename)}`),
    folders: codeFolders(
      [import.meta.dirname, ...NEIGHBOURS.map((each) => path.join(import.meta.dirname, "..", each))],
      () => import.meta.resolve("pkijs"),
    ),
    argument: String(length.length + told.length + bytes),
    input: before([length, told], file),
    limits: { ...LIMITS, ...limits },
    signal,
    onLine: (line) => lines.push(line),
    mostOutput: MOST_OUTPUT,
  });
  if (isTooMuch(end)) return { refused: "too_large" };
  const answer = end.by === "itself" && end.code === 0 ? answers.safeParse(parsed(lines.join(""))) : undefined;
  // A program that was taken over could write anything.
  if (!answer?.success)
    throw new SignaturesUnread(
      `the reader of signatures came to no result: ${JSON.stringify(end)} ${complaint}`.trim(),
    );
  if ("refused" in answer.data) return answer.data;
  return {
    signatures: answer.data.signatures.map(({ covers_whole_file, signed_at, judged, chain, ...said }) => ({
      ...said,
      coversWholeFile: covers_whole_file,
      signedAt: signed_at,
      judged:
        judged &&
        judgedOf(
          judged,
          chain.map((each) => Buffer.from(each, "base64")),
          authorities,
        ),
    })),
  };
}

/** Folders whose code the program loads, too. */
const NEIGHBOURS = ["pdf-check", "signer-certificate", "certificates", "time-stamp"];

async function* before(head: readonly Buffer[], file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* head;
  yield* file;
}

/** The file made the program need too much. V8 aborts at the limit of its heap. */
function isTooMuch(end: ProgramEnd): boolean {
  if (end.by === "limit") return end.limit !== "input";
  return end.signal === "SIGABRT" || end.signal === "SIGTRAP" || end.code === 134;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
