import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { type ObjectStore, StorageError } from "../../../adapters/storage/object-store.ts";
import { type OpenedObject, openSealed, writeSealed } from "../../../adapters/storage/sealed-object.ts";
import type { SiteOperator } from "../../../config/config.ts";
import type { DataKey } from "../documents/data-key.ts";
import type { OwnCertificate } from "./own-certificate.ts";

/** The evidence report of an envelope that has ended, kept as an object of the storage: signature.envelope_reports. */
export const keptReport = z.object({ object_id: z.uuid(), size: z.int(), sha256: z.string() });
export type KeptReport = z.output<typeof keptReport>;

interface Place {
  readonly objects: ObjectStore;
  readonly dataKey: DataKey;
  readonly envelopeId: string;
}

/** A report opens for its own envelope only. */
const keyOf = ({ dataKey, envelopeId }: Place, objectId: string) => dataKey.objectKey(`report-${envelopeId}`, objectId);

/**
 * Raise it with every change of how a report looks: reports that were kept before are then drawn anew. `report-layout.test.ts` fails where that was
 * forgotten.
 */
export const REPORT_LAYOUT = 1;

/**
 * What stands for this program in the basis of a report: the operator, who is named on it, the way it is drawn, and the operator's own certificate, if
 * there is one. The database knows the other certificates.
 * @throws ConfigError for an own certificate that cannot be used
 */
export const reportMaker = (operator: SiteOperator, own: Pick<OwnCertificate, "digest"> | null): string =>
  createHash("sha256")
    .update(JSON.stringify([REPORT_LAYOUT, operator.name, operator.details, ...(own === null ? [] : [own.digest()])]))
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
 * @returns null for an object that is missing, altered or of another length, as after a backup of another day: the report is to be made anew
 * @throws StorageError `away`
 */
export async function openReport(place: Place, { object_id, size }: KeptReport): Promise<OpenedObject | null> {
  try {
    const opened = await openSealed(place.objects, keyOf(place, object_id));
    return opened.length === size ? opened : null;
  } catch (error) {
    if (error instanceof StorageError && (error.reason === "missing" || error.reason === "altered")) return null;
    throw error;
  }
}
