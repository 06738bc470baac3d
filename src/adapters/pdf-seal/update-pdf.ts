import path from "node:path";
import { type ProgramLimits, runConfined } from "../programs/confined-program.ts";
import { WorkThread } from "../threads/work-thread.ts";
import { CLOSED, type Overlay, type Plan, REFUSED } from "./plan.ts";
import { sealerFolders } from "./sealer-folders.ts";
import { CertifiedClosed, SealingFailed, Unsealable } from "./sealing-failed.ts";
import type { Stamp } from "./stamp.ts";
import { boxOf, pagesOf } from "./stamp.ts";

/** The largest PDF that is sealed: an upload has at most 50 MiB. */
const MOST_BYTES = 64 * 1024 * 1024;
const SEAL_LIMITS: Readonly<ProgramLimits> = {
  cpuSeconds: 60,
  wallSeconds: 120,
  residentBytes: 1024 * 1024 * 1024,
};

export interface UpdateOptions {
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<ProgramLimits>;
}

/**
 * Draws on a PDF, as a seal does, and signs nothing: for what must be there before the first of several signs. The same input gives the same bytes.
 * @throws Unsealable, SealingFailed; the signal's reason
 */
export async function drawStamps(
  { pdf, stamps }: { readonly pdf: Uint8Array; readonly stamps: readonly Stamp[] },
  options: UpdateOptions = {},
): Promise<Buffer> {
  const overlay = await overlayOf(stamps);
  if (overlay === null) return Buffer.from(pdf);
  return Buffer.concat([pdf, await updateOf(pdf, { overlay, signature: null }, options)]);
}

const overlays = new WorkThread<readonly Stamp[]>(
  new URL(import.meta.url.replace(/update-pdf(\.\w+)$/, "overlay-thread$1")),
);

/**
 * What is drawn, as a separate PDF. It is made here and not where the PDF is read: fonts that are read, and code that is warm, make it in 3 ms.
 * A process that starts takes 300.
 */
export async function overlayOf(stamps: readonly Stamp[]): Promise<Overlay | null> {
  if (stamps.length === 0) return null;
  const pages = pagesOf(stamps);
  const boxes = pages.map((number) => stamps.filter(({ page }) => page === number).map(boxOf));
  return { pages, boxes, pdf: (await overlays.run(stamps)).toString("base64") };
}

/**
 * What the process that reads the PDF adds to it. That process may have been taken over by the PDF: what it says is to be looked at.
 * @throws Unsealable, SealingFailed; the signal's reason
 */
export async function updateOf(pdf: Uint8Array, plan: Plan, { signal, limits = {} }: UpdateOptions): Promise<Buffer> {
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
  if (end.by === "itself" && end.code === CLOSED)
    throw new CertifiedClosed("the certification of the PDF allows no change");
  if (end.by === "itself" && end.code === REFUSED) throw new Unsealable(`the PDF cannot be sealed: ${complaint}`);
  if (end.by !== "itself" || end.code !== 0)
    throw new SealingFailed(`the sealer came to no result: ${JSON.stringify(end)} ${complaint}`.trim());
  return Buffer.concat(pieces);
}

const INPUT_PART = 1024 * 1024;

async function* inParts(buffers: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const bytes of buffers)
    for (let at = 0; at < bytes.length; at += INPUT_PART)
      yield Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(INPUT_PART, bytes.length - at));
}
