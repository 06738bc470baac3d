import path from "node:path";
import { z } from "zod";
import { MOST_ITERATIONS, REFUSALS, type Refusal } from "../../pkcs12/refused.ts";
import { codeFolders } from "../programs/code-folders.ts";
import { type ProgramEnd, type ProgramLimits, runConfined } from "../programs/confined-program.ts";
import { LEAST_KEY_BITS } from "./refusals.ts";

/** The largest file, in bytes. Files of ICP-Brasil, with all certificates of the chain, have 3 to 12 KiB. */
export const MOST_PKCS12_BYTES = 64 * 1024;
/** The longest password, in bytes of UTF-8. */
const MOST_PASSWORD_BYTES = 1024;

const PKCS12 = path.join(import.meta.dirname, "../../pkcs12");
/** A file needs some 0.3 s and 90 MiB. Only a busy machine reaches the wall limit: that is no fault of the file. */
const PKCS12_LIMITS: Readonly<ProgramLimits> = {
  cpuSeconds: 5,
  wallSeconds: 30,
  residentBytes: 256 * 1024 * 1024,
};

/** What an A1 certificate's file holds. Whether it is valid today, and of whom it is, the caller checks. */
export interface Pkcs12Certificate {
  /** The private key, RSA of 2048 bits or more: PKCS#8, PEM, not encrypted. */
  readonly key: string;
  /** The certificate of that key, PEM. */
  readonly certificate: string;
  /** Certificates of its issuer and of those above, in that order, PEM; those that the file has. */
  readonly chain: readonly string[];
  /** On one line, in the certificate's order: `C=BR, O=ICP-Brasil, …`. */
  readonly subject: string;
  readonly issuer: string;
  /** The serial number, hexadecimal in capital letters. */
  readonly serial: string;
  /** SHA-256 of the certificate's DER, hexadecimal in small letters. */
  readonly sha256: string;
  readonly not_before: Date;
  readonly not_after: Date;
  /** The CNPJ of the holder (14 characters; its check digits are not checked), from the alternative name 2.16.76.1.3.3. */
  readonly cnpj: string | null;
  readonly key_bits: number;
}

/** The caller's file or password cannot be used. The message is for the person who gave them, and has nothing of either. */
export class Pkcs12Error extends Error {
  override readonly name = "Pkcs12Error";
  /** What is wrong. */
  readonly member: "file" | "password";
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(MESSAGES[reason]);
    this.member = reason === "wrong_password" ? "password" : "file";
    this.reason = reason;
  }
}

/** The program came to no result, for a reason that lies in no file: try again. The message has nothing of the file. */
export class Pkcs12Unread extends Error {
  override readonly name = "Pkcs12Unread";
}

const MESSAGES: Readonly<Record<Refusal, string>> = {
  too_large: `The file has more than ${MOST_PKCS12_BYTES / 1024} KiB.`,
  malformed: "The file is not a complete PKCS#12 file (.pfx or .p12).",
  unsupported:
    "The file uses an algorithm or a part that Selo does not read. Export the certificate once more, with its key.",
  wrong_password: "The password does not open the file.",
  too_many_iterations: `The file derives a key with more than ${MOST_ITERATIONS} iterations.`,
  no_key: "The file has no private key. Export the certificate together with its key.",
  no_certificate: "The file has no certificate.",
  key_mismatch: "The private key in the file belongs to none of its certificates.",
  key_not_rsa: "The private key is not an RSA key.",
  key_too_short: `The RSA key has fewer than ${LEAST_KEY_BITS} bits.`,
  too_slow: `Reading the file takes more than ${PKCS12_LIMITS.cpuSeconds} seconds.`,
  too_much_memory: `Reading the file takes more than ${PKCS12_LIMITS.residentBytes / 1024 / 1024} MiB of memory.`,
};

const time = z.iso.datetime().transform((text) => new Date(text));
const answers = z.union([
  z.strictObject({ refused: z.enum(REFUSALS) }),
  z.strictObject({
    read: z.strictObject({
      key: z.string().startsWith("-----BEGIN PRIVATE KEY-----"),
      certificate: z.string().startsWith("-----BEGIN CERTIFICATE-----"),
      chain: z.array(z.string().startsWith("-----BEGIN CERTIFICATE-----")),
      subject: z.string(),
      issuer: z.string(),
      serial: z.string().regex(/^[0-9A-F]+$/),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      not_before: time,
      not_after: time,
      cnpj: z.string().length(14).nullable(),
      key_bits: z.int().min(LEAST_KEY_BITS),
    }),
  }),
]);

/**
 * Reads the PKCS#12 file of an A1 certificate (RFC 7292), also one that OpenSSL 3 refuses because its certificates are encrypted with RC2. A
 * confined process reads it: README.md of this folder. Neither the file nor the password is written to disk or to an argument.
 * @param file at most MOST_PKCS12_BYTES
 * @throws Pkcs12Error; Pkcs12Unread; the signal's reason
 */
export async function readPkcs12(
  file: Buffer,
  password: string,
  options: { readonly signal?: AbortSignal | undefined; readonly limits?: Partial<ProgramLimits> } = {},
): Promise<Pkcs12Certificate> {
  if (file.length > MOST_PKCS12_BYTES) throw new Pkcs12Error("too_large");
  const secret = Buffer.from(password, "utf8");
  if (secret.length > MOST_PASSWORD_BYTES) throw new Pkcs12Error("wrong_password");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(secret.length);
  const lines: string[] = [];
  const { end, complaint } = await runConfined({
    // Tests run the sources, the product what is built from them: the ending tells which.
    program: path.join(import.meta.dirname, `child/main${path.extname(import.meta.filename)}`),
    folders: codeFolders([import.meta.dirname, PKCS12], () => import.meta.resolve("node-forge")),
    argument: String(length.length + secret.length + file.length),
    input: inOnePiece(Buffer.concat([length, secret, file])),
    limits: { ...PKCS12_LIMITS, ...options.limits },
    signal: options.signal,
    onLine: (line) => lines.push(line),
  });
  const refusal = refusalOf(end);
  if (refusal) throw new Pkcs12Error(refusal);
  if (end.by !== "itself" || end.code !== 0)
    throw new Pkcs12Unread(`the reader of certificates came to no result: ${JSON.stringify(end)} ${complaint}`.trim());
  const answer = answerOf(lines);
  if ("refused" in answer) throw new Pkcs12Error(answer.refused);
  return answer.read;
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The file made the program need too much. V8 aborts at the limit of its heap. */
function refusalOf(end: ProgramEnd): Refusal | null {
  if (end.by === "limit") return end.limit === "cpu" ? "too_slow" : end.limit === "memory" ? "too_much_memory" : null;
  return end.signal === "SIGABRT" || end.signal === "SIGTRAP" || end.code === 134 ? "too_much_memory" : null;
}

/** A program that was taken over could write anything. What it wrote has the key, and stands in no error. */
function answerOf(lines: readonly string[]): z.infer<typeof answers> {
  try {
    const answer = answers.safeParse(JSON.parse(lines.join("")));
    if (answer.success) return answer.data;
  } catch {
    // The same as an answer of another shape.
  }
  throw new Pkcs12Unread("the reader of certificates gave an answer of another shape");
}
