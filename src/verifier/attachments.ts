import type { EnvelopeEvidence } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";

/** What a signed record says of a file that its participant delivered. */
export interface NamedAttachment {
  /** The name of the file in a dossier. */
  readonly name: string;
  /** In hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

const ENDINGS: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "image/png": "png",
  "image/jpeg": "jpg",
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The name in a dossier of a file that was delivered for a field. */
export const attachmentName = (fieldId: string, type: string): string =>
  `attachments/${fieldId}.${ENDINGS[type] ?? "bin"}`;

/** The files that the records name, in their order; null where a record says something else. */
export function attachmentsOf(records: EnvelopeEvidence["records"]): readonly NamedAttachment[] | null {
  const named: NamedAttachment[] = [];
  for (const { evidence } of records ?? []) {
    const { attachments = [] } = evidence.members;
    if (!Array.isArray(attachments)) return null;
    for (const each of attachments) {
      const { field_id, sha256, size, type } = isObject(each) ? each : {};
      if (
        typeof field_id !== "string" ||
        !UUID.test(field_id) ||
        typeof type !== "string" ||
        !Object.hasOwn(ENDINGS, type)
      )
        return null;
      if (typeof sha256 !== "string" || !SHA256.test(sha256) || typeof size !== "number") return null;
      named.push({ name: attachmentName(field_id, type), sha256, size });
    }
  }
  return named;
}
