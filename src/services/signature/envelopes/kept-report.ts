import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { type ObjectStore, StorageError } from "../../../adapters/storage/object-store.ts";
import { openSealed, writeSealed } from "../../../adapters/storage/sealed-object.ts";
import type { SiteOperator } from "../../../config/config.ts";
import type { DataKey } from "../documents/data-key.ts";

/** The evidence report of a completed envelope, kept as an object of the storage: signature.envelope_reports. */
export const keptReport = z.object({ object_id: z.uuid(), size: z.int(), sha256: z.string() });
export type KeptReport = z.output<typeof keptReport>;

interface Place {
  readonly objects: ObjectStore;
  readonly dataKey: DataKey;
  readonly envelopeId: string;
}

/** A report opens for its own envelope only. */
const keyOf = ({ dataKey, envelopeId }: Place, objectId: string) => dataKey.objectKey(`report-${envelopeId}`, objectId);

/** What stands for this deployment in the basis of a report: the operator, who is named on it. */
export const reportMaker = (operator: SiteOperator): string =>
  createHash("sha256")
    .update(JSON.stringify([operator.name, operator.details]))
    .digest("hex");

/** Writes a report. Nothing names it yet. */
export async function writeReport(place: Place, pdf: Buffer): Promise<KeptReport> {
  const id = randomUUID();
  const { sha256, bytes } = await writeSealed(place.objects, keyOf(place, id), inOne(pdf), pdf.length);
  return { object_id: id, size: bytes, sha256: sha256.toString("hex") };
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * A kept report, read as it is asked for.
 * @returns null for an object that is missing or altered, as after a backup of another day: the report is to be made anew
 * @throws StorageError `away`, and also while it is read
 */
export async function openReport(
  place: Place,
  { object_id }: KeptReport,
): Promise<(() => AsyncGenerator<Buffer>) | null> {
  try {
    const { length, open } = await openSealed(place.objects, keyOf(place, object_id));
    return async function* () {
      yield* open(0, length - 1);
    };
  } catch (error) {
    if (error instanceof StorageError && (error.reason === "missing" || error.reason === "altered")) return null;
    throw error;
  }
}
