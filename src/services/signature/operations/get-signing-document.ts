import { openSealed } from "../../../adapters/storage/sealed-object.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { operation } from "../parts.ts";
import { signingSurface } from "../rest/signing-surface.ts";
import { contentKey } from "./document-content.ts";

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
  errors: ["not_found", "session_expired", "not_your_turn", "conflict"],
  rest: {
    surface: signingSurface,
    method: "GET",
    path: "/{participant_id}/documents/{id}",
    status: 200,
    tag: "Signing",
    summary: "Read a document of the envelope",
    description: "Needs a session. A `Range` of one range of bytes answers 206 with these bytes.",
  },
  run: async ({ call, parts, requester }, { participant_id, id }) => {
    const { body } = await call("find_signing_document", { participant_id, id });
    const { size, object_id } = JSON.parse(body ?? "null") as Found;
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const { length, open } = await openSealed(parts.objects, contentKey(dataKey, object_id)).catch((error: unknown) => {
      throw storageRefusal(error);
    });
    if (length !== size) throw new Error(`object ${object_id} has ${length} bytes, and its row says ${size}`);
    return {
      // Objects are written once, so an id has one content. The tag shows no id of an object.
      file: { length, etag: id, open },
      contentType: "application/pdf",
      fileName: `${id}.pdf`,
      isForeign: true,
    };
  },
});
