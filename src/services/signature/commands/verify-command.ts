import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import path from "node:path";
import { type Command, CommanderError, Option } from "commander";
import { inRed } from "../../../surfaces/cli/in-red.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { readEvidence } from "../../../verifier/evidence.ts";
import { readKeys, UnreadableError } from "../../../verifier/keys.ts";
import { type HashedFile, type Verdict, type Verification, verify } from "../../../verifier/verify.ts";
import { readReceiptInThread } from "./read-receipt-thread.ts";
import { verificationText } from "./verification-text.ts";

/** How `proof verify` ends, by its verdict; nothing but a proof that holds ends with 0. */
const EXIT: Readonly<Record<Verdict, number>> = { proved: 0, failed: 1, not_proved: 2, test: 2 };
/** Without a verdict. */
const UNUSABLE = 3;

/** A receipt is some 100 kB, and evidence some 15 kB. In bytes. */
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

/** Makes a command check a proof: without server, database, configuration or network. */
export function asVerifyCommand(command: Command): Command {
  endUnusable(command);
  return command
    .description("check a file against its proof, offline")
    .argument("<file>", "the file the proof is of")
    .addOption(new Option("--receipt <pdf>", "the proof: a receipt").conflicts("evidence"))
    .option("--evidence <json>", "the proof: evidence.json, or the proof as the API answers it")
    .option("--keys <json>", "the platform's keys, fetched from the platform: GET /api/v1/public/platform-key")
    .option("--name <name>", "what the file was called when it was registered, if its name was left out")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      [
        "",
        `Exit codes: ${EXIT.proved} proved; ${EXIT.failed} a check failed; ${EXIT.not_proved} not proved, because something could not be`,
        `checked or because it is a test proof; ${UNUSABLE} unusable arguments, or something that cannot be read.`,
      ].join("\n"),
    )
    .action(async (file: string, options: Options) => {
      if (options.receipt === undefined && options.evidence === undefined)
        command.error("error: give --receipt or --evidence");
      try {
        const verification = await verifyFile(file, options);
        const isReceipt = options.receipt !== undefined;
        console.log(
          options.json
            ? printable(JSON.stringify(asJson(verification, isReceipt)))
            : verificationText(verification, isReceipt),
        );
        process.exitCode = EXIT[verification.verdict];
      } catch (error) {
        // Of ours or not, a fault is not the answer that the proof is wrong.
        console.error(inRed(printable(error instanceof UnreadableError ? error.message : String(error))));
        process.exitCode = UNUSABLE;
      }
    });
}

/** @throws UnreadableError */
async function verifyFile(file: string, { receipt, evidence, keys, name }: Options): Promise<Verification> {
  const proof = await (receipt === undefined
    ? readInput(evidence ?? "", (bytes) => readEvidence(textOf(bytes)))
    : readInput(receipt, async (bytes) => readEvidence(await attachedTo(bytes))));
  const trusted = keys === undefined ? null : await readInput(keys, (bytes) => readKeys(textOf(bytes)));
  const { sha256, size } = await hashFile(file);
  const verifyNamed = (spelled: string) => verify(proof, { sha256, size, name: spelled }, trusted);
  const given = name ?? path.basename(file);
  const first = verifyNamed(given);
  // Systems spell accents in two ways: é is one character, or an e and an accent. Either is the name.
  return isMisnamed(first)
    ? ([given.normalize("NFC"), given.normalize("NFD")].map(verifyNamed).find((other) => !isMisnamed(other)) ?? first)
    : first;
}

function isMisnamed({ checks }: Verification): boolean {
  return checks.some(({ reason }) => reason === "name_or_size_differs");
}

/** Reads a small file, and says of which file it is that something cannot be read. */
async function readInput<Result>(file: string, read: (bytes: Uint8Array) => Result | Promise<Result>): Promise<Result> {
  const chunks: Buffer[] = [];
  // One byte more than allowed tells that there is more, without reading it.
  for await (const chunk of chunksOf(file, MOST_BYTES)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  try {
    if (bytes.length > MOST_BYTES) throw new UnreadableError(`it is larger than ${MOST_BYTES} bytes`);
    return await read(bytes);
  } catch (error) {
    throw error instanceof UnreadableError ? new UnreadableError(`${file}: ${error.message}`) : error;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableError("it is not UTF-8");
  }
}

async function attachedTo(pdf: Uint8Array): Promise<string> {
  const text = await readReceiptInThread(pdf);
  if (text === null) throw new UnreadableError("it has no attachment evidence.json, so it is no receipt");
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

/** @param end the last byte read; all without it */
async function* chunksOf(file: string, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file, { end, highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new UnreadableError(`${file}: it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function asJson({ verdict, environment, checks, evidence }: Verification, isReceipt: boolean): object {
  const pages = isReceipt ? { receipt_pages: "not_checked" } : {};
  return { verdict, environment, checks, ...pages, evidence: evidence.members };
}

/** Commander ends with 1 for wrong arguments, which here would say that the proof is wrong. */
function endUnusable(command: Command): void {
  command.exitOverride(({ exitCode, code, message }) => {
    throw new CommanderError(exitCode === 0 ? 0 : UNUSABLE, code, message);
  });
}
