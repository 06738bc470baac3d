import { createHash } from "node:crypto";
import path from "node:path";
import { type ProgramLimits, runConfined } from "../programs/confined-program.ts";
import { WorkThread } from "../threads/work-thread.ts";
import { type SealKey, signDigest } from "./cms.ts";
import { type Overlay, type Plan, REFUSED } from "./plan.ts";
import { sealerFolders } from "./sealer-folders.ts";
import type { Stamp } from "./stamp.ts";
import { boxOf, pagesOf } from "./stamp.ts";

/** The largest PDF that is sealed: an upload has at most 50 MiB. */
const MOST_BYTES = 64 * 1024 * 1024;
const SEAL_LIMITS: Readonly<ProgramLimits> = {
  cpuSeconds: 60,
  wallSeconds: 120,
  residentBytes: 1024 * 1024 * 1024,
};
export interface ToSeal {
  readonly pdf: Uint8Array;
  /** The instant that the PDF's signature shows. */
  readonly at: Date;
  /** Why, as readers show it. */
  readonly reason: string;
  readonly stamps?: readonly Stamp[];
}

/** The sealer's process came to no result. The message has nothing of the document. */
export class SealingFailed extends Error {
  override readonly name: string = "SealingFailed";
}

/** The sealer cannot seal this PDF, however often it is tried. */
export class Unsealable extends SealingFailed {
  override readonly name = "Unsealable";
}

/**
 * Seals a PDF: PAdES baseline B-B. A separate process, which never has the key, reads the PDF and says what stands after its bytes; this
 * process adds that, and signs what it has itself. So the sealed PDF begins with the bytes of the PDF, whatever that process says.
 * The same input and key give the same bytes.
 * @throws Unsealable, SealingFailed; the signal's reason
 */
export async function sealPdf(
  given: ToSeal,
  key: SealKey,
  options: { readonly signal?: AbortSignal | undefined; readonly limits?: Partial<ProgramLimits> } = {},
): Promise<Buffer> {
  const plan: Plan = {
    at: given.at.toISOString(),
    reason: given.reason,
    certificate: key.certificate.toString("base64"),
    // Signatures of one key are equally long. No byte of the room is left over, which somebody could change unnoticed.
    room: signDigest(Buffer.alloc(32), key).length,
    overlay: await overlayOf(given.stamps ?? []),
  };
  const update = await updateOf(given.pdf, plan, options);
  const sealed = Buffer.concat([given.pdf, update]);
  const { start, end } = roomIn(sealed, given.pdf.length);
  const digest = createHash("sha256").update(sealed.subarray(0, start)).update(sealed.subarray(end)).digest();
  const signature = signDigest(digest, key).toString("hex");
  if (signature.length !== end - start - 2) throw new SealingFailed("the room does not fit the signature");
  sealed.write(signature, start + 1, "latin1");
  return sealed;
}

const overlays = new WorkThread<readonly Stamp[]>(
  new URL(import.meta.url.replace(/seal-pdf(\.\w+)$/, "overlay-thread$1")),
);

/**
 * What is drawn, as a separate PDF. It is made here and not where the PDF is read: fonts that are read, and code that is warm, make it in 3 ms.
 * A process that starts takes 300.
 */
async function overlayOf(stamps: readonly Stamp[]): Promise<Overlay | null> {
  if (stamps.length === 0) return null;
  const pages = pagesOf(stamps);
  const boxes = pages.map((number) => stamps.filter(({ page }) => page === number).map(boxOf));
  return { pages, boxes, pdf: (await overlays.run(stamps)).toString("base64") };
}

/** What the process adds to the PDF. */
async function updateOf(
  pdf: Uint8Array,
  plan: Plan,
  { signal, limits = {} }: { readonly signal?: AbortSignal | undefined; readonly limits?: Partial<ProgramLimits> },
): Promise<Buffer> {
  const told = Buffer.from(JSON.stringify(plan));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(told.length);
  const pieces: Buffer[] = [];
  const { end, complaint } = await runConfined({
    program: path.join(import.meta.dirname, `child/main${path.extname(import.meta.filename)}`),
    folders: sealerFolders(),
    argument: String(length.length + told.length + pdf.length),
    input: inParts([length, told, pdf]),
    limits: { ...SEAL_LIMITS, ...limits },
    mostOutput: MOST_BYTES,
    onPiece: (piece) => pieces.push(piece),
    signal,
  });
  if (end.by === "itself" && end.code === REFUSED) throw new Unsealable(`the PDF cannot be sealed: ${complaint}`);
  if (end.by !== "itself" || end.code !== 0)
    throw new SealingFailed(`the sealer came to no result: ${JSON.stringify(end)} ${complaint}`.trim());
  return Buffer.concat(pieces);
}

/**
 * Where the room for the signature stands, its brackets included. The process may have been taken over by the PDF: the room must be what the
 * PDF says, zeros or a signature of that process, and stand in what was added.
 */
function roomIn(sealed: Buffer, from: number): { readonly start: number; readonly end: number } {
  const at = sealed.lastIndexOf("/ByteRange");
  const numbers = /^\/ByteRange ?\[0 (\d+) +(\d+) +(\d+) *\]/.exec(sealed.toString("latin1", at, at + 80));
  const [, start = -1, end = -1, rest = -1] = (numbers ?? []).map(Number);
  const isRoom =
    at >= from &&
    start > at &&
    end > start &&
    end + rest === sealed.length &&
    /^<[0-9a-fA-F]+>$/.test(sealed.toString("latin1", start, end));
  if (!isRoom) throw new SealingFailed("the sealer left no room for the signature");
  return { start, end };
}

const INPUT_PART = 1024 * 1024;

async function* inParts(buffers: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const bytes of buffers)
    for (let at = 0; at < bytes.length; at += INPUT_PART)
      yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(INPUT_PART, bytes.length - at));
}
