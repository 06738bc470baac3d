import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { type Command, CommanderError, Option } from "commander";
import { inRed } from "../../../surfaces/cli/in-red.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { isZipStart, readDossier } from "../../../verifier/dossier.ts";
import { endOf } from "../../../verifier/envelope-end.ts";
import { type EnvelopeEvidence, readEnvelopeEvidence } from "../../../verifier/envelope-evidence.ts";
import { type Evidence, readEvidence } from "../../../verifier/evidence.ts";
import { otherNamesOf } from "../../../verifier/file-names.ts";
import { HYBRID_CHECKS } from "../../../verifier/hybrid-signature.ts";
import { readKeys, UnreadableError } from "../../../verifier/keys.ts";
import { verify } from "../../../verifier/verify.ts";
import { type EnvelopeVerification, verifyEnvelope } from "../../../verifier/verify-envelope.ts";
import type { HashedFile, Verdict, Verification } from "../../../verifier/verify-with.ts";
import { envelopeText } from "./envelope-text.ts";
import { readReceiptInThread } from "./read-receipt-thread.ts";
import { quoted, verificationText } from "./verification-text.ts";

/** The exit code of `proof verify`, by verdict. Only a proof that holds ends with 0. */
const EXIT: Readonly<Record<Verdict, number>> = { proved: 0, failed: 1, not_proved: 2, test: 2 };
/** The exit code without a verdict. */
const UNUSABLE = 3;

/** Most bytes of an input. A receipt has some 100 kB, evidence some 15 kB, and the report of an envelope with fifty participants some 2 MB. */
const MOST_BYTES = 5_000_000;

interface Options {
  readonly receipt?: string;
  readonly evidence?: string;
  readonly keys?: string;
  readonly name?: string;
  readonly json?: boolean;
}

/** `selo proof verify`. */
export function addProofCommands(program: Command): void {
  const proof = program.command("proof");
  endUnusable(proof);
  asVerifyCommand(proof.command("verify"));
}

/** Makes a command check a proof, without server, database, configuration or network. */
export function asVerifyCommand(command: Command): Command {
  endUnusable(command);
  return command
    .description("check a file against its proof or its envelope, or a dossier, offline")
    .argument("<file>", "the file that was registered, a document of the envelope, or the dossier of an envelope")
    .addOption(
      new Option("--receipt <pdf>", "the proof: a receipt, or the report of an envelope").conflicts("evidence"),
    )
    .option("--evidence <json>", "the proof: evidence.json, or the proof as the API returns it")
    .option("--keys <json>", "the platform's keys, fetched from the platform: GET /api/v1/public/platform-key")
    .option("--name <name>", "the file's name when it was registered, if the proof omits the name")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      [
        "",
        `Exit codes: ${EXIT.proved} proved; ${EXIT.failed} a check failed; ${EXIT.not_proved} not proved, because something could not be`,
        `checked or because it is a test proof; ${UNUSABLE} unusable arguments, or an unreadable input.`,
      ].join("\n"),
    )
    .action(async (file: string, options: Options) => {
      const isAlone = options.receipt === undefined && options.evidence === undefined;
      if (isAlone && !(await startsAsZip(file)))
        command.error("error: give --receipt or --evidence, or the dossier of an envelope");
      try {
        const { verification, setAside } = await (isAlone
          ? verifyDossier(file, options)
          : verifyFile(file, options).then((verification) => ({ verification, setAside: [] })));
        const source = isAlone ? "dossier" : options.receipt === undefined ? "json" : "pdf";
        const json = () => ({
          ...asJson(verification, source),
          ...(source === "dossier" ? { set_aside: setAside } : {}),
        });
        console.log(
          options.json
            ? printable(JSON.stringify(json()))
            : [asText(verification, source), ...said(setAside)].join("\n"),
        );
        process.exitCode = EXIT[verification.verdict];
      } catch (error) {
        // An unexpected error must not end with the exit code of a failed proof.
        console.error(inRed(printable(error instanceof UnreadableError ? error.message : String(error))));
        process.exitCode = UNUSABLE;
      }
    });
}

/** A file that cannot be read is reported when it is verified. */
async function startsAsZip(file: string): Promise<boolean> {
  try {
    for await (const start of chunksOf(file, 3)) return isZipStart(start);
  } catch {
    // Nor is it a dossier.
  }
  return false;
}

interface VerifiedDossier {
  readonly verification: EnvelopeVerification;
  /** Files that a system added to the folder. */
  readonly setAside: readonly string[];
}

/** Names files that are no part of a dossier. */
const said = (setAside: readonly string[]): readonly string[] =>
  setAside.length === 0 ? [] : [`Not of the dossier, and not looked at: ${setAside.map(quoted).join(", ")}.`];

/** @throws UnreadableError */
async function verifyDossier(file: string, { keys }: Options): Promise<VerifiedDossier> {
  const trusted = await readTrusted(keys);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const read = async (start: number, end: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
      if (bytesRead !== end - start) throw new UnreadableError("the file became shorter");
      return buffer;
    };
    const dossier = await readDossier({ size, read }, () => createHash("sha256"));
    if (dossier === null) throw new UnreadableError("it has no evidence.json, so it is not a dossier");
    const verification = verifyEnvelope(HYBRID_CHECKS, dossier.evidence, dossier.files, trusted);
    return { verification, setAside: dossier.files.setAside };
  } catch (error) {
    throw error instanceof UnreadableError ? new UnreadableError(`${file}: ${error.message}`) : error;
  } finally {
    await handle.close();
  }
}

const readTrusted = async (keys: string | undefined) =>
  keys === undefined ? null : await readInput(keys, (bytes) => readKeys(textOf(bytes)));

/** @throws UnreadableError */
async function verifyFile(
  file: string,
  { receipt, evidence, keys, name }: Options,
): Promise<Verification | EnvelopeVerification> {
  const read = (text: string) => readEnvelopeEvidence(text) ?? readEvidence(text);
  const proof: EnvelopeEvidence | Evidence = await (receipt === undefined
    ? readInput(evidence ?? "", (bytes) => read(textOf(bytes)))
    : readInput(receipt, async (bytes) => read(await attachedTo(bytes))));
  const trusted = await readTrusted(keys);
  const { sha256, size } = await hashFile(file);
  if ("about" in proof) return verifyEnvelope(HYBRID_CHECKS, proof, sha256, trusted);
  const verifyNamed = (spelled: string) => verify(proof, { sha256, size, name: spelled }, trusted);
  const given = name ?? path.basename(file);
  const first = verifyNamed(given);
  if (!isMisnamed(first)) return first;
  for (const spelled of otherNamesOf(given)) {
    const other = verifyNamed(spelled);
    if (!isMisnamed(other)) return other;
  }
  return first;
}

function isMisnamed({ checks }: Verification): boolean {
  return checks.some(({ reason }) => reason === "name_or_size_differs");
}

/** Reads a small file. Errors name the file. */
async function readInput<Result>(file: string, read: (bytes: Uint8Array) => Result | Promise<Result>): Promise<Result> {
  const chunks: Buffer[] = [];
  // One byte more than allowed shows that the file is too large.
  for await (const chunk of chunksOf(file, MOST_BYTES)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  try {
    if (bytes.length > MOST_BYTES) throw new UnreadableError(`the file is larger than ${MOST_BYTES} bytes`);
    return await read(bytes);
  } catch (error) {
    throw error instanceof UnreadableError ? new UnreadableError(`${file}: ${error.message}`) : error;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableError("the file is not UTF-8");
  }
}

async function attachedTo(pdf: Uint8Array): Promise<string> {
  const text = await readReceiptInThread(pdf);
  if (text === null) throw new UnreadableError("it has no attachment evidence.json, so it is not a receipt");
  return text;
}

async function hashFile(file: string): Promise<Omit<HashedFile, "name">> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunksOf(file)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest("hex"), size };
}

/** @param end offset of the last byte to read; without it the whole file is read */
async function* chunksOf(file: string, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { end, highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UnreadableError(`${file}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Where the evidence came from. */
type Source = Parameters<typeof envelopeText>[1];

const asText = (verification: Verification | EnvelopeVerification, source: Source): string =>
  isOfEnvelope(verification) ? envelopeText(verification, source) : verificationText(verification, source === "pdf");

function asJson(verification: Verification | EnvelopeVerification, source: Source): object {
  const { verdict, environment, checks } = verification;
  const ofPdf = source === "pdf" ? { receipt_pages: "not_checked" } : {};
  const pages = source === "dossier" ? { receipt_pages: "not_checked", pdf_signatures: "not_checked" } : ofPdf;
  const common = { verdict, environment, checks, ...pages };
  if (!isOfEnvelope(verification)) return { ...common, evidence: verification.evidence.members };
  const { completion, records } = verification.evidence;
  const said = (records ?? []).map(({ evidence, openings }) => ({ evidence: evidence.members, openings }));
  const ended = endOf(verification.evidence);
  return { ...common, evidence: completion?.members ?? null, records: said, ...(ended === null ? {} : { ended }) };
}

const isOfEnvelope = (verification: Verification | EnvelopeVerification): verification is EnvelopeVerification =>
  "about" in verification.evidence;

/** Commander ends with 1 for wrong arguments. Here 1 would say that the proof failed. */
function endUnusable(command: Command): void {
  command.exitOverride(({ exitCode, code, message }) => {
    throw new CommanderError(exitCode === 0 ? 0 : UNUSABLE, code, message);
  });
}
