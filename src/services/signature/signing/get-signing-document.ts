import { createHash } from "node:crypto";
import { openSealed } from "../../../adapters/storage/sealed-object.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { contentKey } from "../documents/document-content.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation } from "../parts.ts";
import { signingSurface } from "./signing-surface.ts";

interface Found {
  readonly filename: string;
  readonly size: number;
  readonly object_id: string;
}

/** The content of a document, for the participant of a session. */
export const getSigningDocument = operation({
  name: "getSigningDocument",
  command: "find_signing_document",
  made: ["session_sha256"],
  answers: { file: "application/pdf", description: "The document." },
  errors: ["not_found", "session_expired", "factor_required", "not_your_turn", "conflict"],
  rest: {
    surface: signingSurface,
    method: "GET",
    path: "/{participant_id}/documents/{id}",
    status: 200,
    tag: "Signing",
    summary: "Read a document of the envelope",
    description: "Needs a session. A `Range` header with one byte range returns 206 with these bytes.",
  },
  run: async (work, { participant_id, id }) => {
    const { call, parts, requester } = work;
    const { body } = await endingOverdue(work, { command: "end_overdue_signing", participant_id }, () =>
      call("find_signing_document", { participant_id, id }),
    );
    const { size, object_id } = JSON.parse(body ?? "null") as Found;
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const { length, open } = await openSealed(parts.objects, contentKey(dataKey, object_id)).catch((error: unknown) => {
      throw storageRefusal(error);
    });
    if (length !== size) throw new Error(`object ${object_id} has ${length} bytes, and its row says ${size}`);
    return {
      // Objects are written once. A document has two, its original and its sealed form. The tag shows no id of an object.
      file: {
        length,
        etag: createHash("sha256").update(object_id).digest("hex").slice(0, 32),
        open,
        givesMemory: true,
      },
      contentType: "application/pdf",
      fileName: `${id}.pdf`,
      isForeign: true,
    };
  },
});
