import type { Readable } from "node:stream";
import { type FairSlots, SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { unavailable } from "../../../errors/app-error.ts";
import type { FileSource } from "../../../surfaces/rest/file-source.ts";

/** Most dossiers that are sent at once, and most that are sent or wait: each holds the evidence of an envelope in memory. */
export const DOSSIERS_AT_ONCE = 16;
export const dossierTurns = { perGroup: 4, mostOfGroup: 10, most: 50 } as const;

/**
 * A file that is sent when it is its turn, and whose turn lasts until it was sent or given up.
 * @param group whose file it is
 */
export const sentInTurns = (file: FileSource, slots: FairSlots, group: string): FileSource => ({
  ...file,
  open: (start, end) =>
    new Promise<Readable>((resolve, reject) => {
      const sent = async () => {
        const stream = await file.open(start, end);
        const closed = new Promise<void>((done) => stream.once("close", done));
        resolve(stream);
        await closed;
      };
      slots
        .run(group, sent)
        .catch((error: unknown) => reject(error instanceof SlotsBusyError ? unavailable(error) : error));
    }),
});
