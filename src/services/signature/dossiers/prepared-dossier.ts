/** What the dossier of an envelope is made from. */
import type { PreparedReport } from "../envelopes/prepared-report.ts";

/** The answer of SQL, see signature.dossier_of. */
export interface PreparedDossier {
  readonly report: PreparedReport;
  readonly ended_at: string;
  readonly files: readonly {
    readonly document_id: string;
    readonly position: number;
    readonly object_id: string;
    readonly size: number;
    readonly final_object_id: string | null;
    readonly final_size: number | null;
  }[];
  /** The answer of `GET /public/platform-key`, as a text. */
  readonly platform_keys: string;
}

/** A stored file of a dossier. */
export interface DossierFile {
  readonly name: string;
  readonly objectId: string;
  readonly size: number;
  readonly sha256: string;
}

/** The originals and, once completed, the final documents. */
export function storedFiles({ files, report }: PreparedDossier): DossierFile[] {
  const digests = new Map(report.documents.map((document) => [document.id, document]));
  return (["originals", "final"] as const).flatMap((folder) =>
    files.flatMap((file) => {
      const isFinal = folder === "final";
      const digest = digests.get(file.document_id);
      const sha256 = (isFinal ? digest?.final_sha256 : digest?.sha256) ?? null;
      const [objectId, size] = isFinal ? [file.final_object_id, file.final_size] : [file.object_id, file.size];
      if (sha256 === null || objectId === null || size === null) return [];
      return [{ name: `${folder}/${file.position}-${file.document_id}.pdf`, objectId, size, sha256 }];
    }),
  );
}
