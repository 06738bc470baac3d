import { z } from "zod";
import { linkToFile } from "../documents/files.ts";
import { operation } from "../parts.ts";

const found = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), object_id: z.uuid() });

/** A link to the final PDF of a document of an envelope. SQL finds the object, TypeScript signs the link. */
export const downloadFinalDocument = operation({
  name: "downloadFinalDocument",
  command: "find_final_document",
  answers: { schema: "DocumentDownload" },
  errors: ["not_found", "conflict"],
  rest: {
    method: "GET",
    path: "/envelopes/{id}/documents/{document_id}/download",
    status: 200,
    session: true,
    tag: "Envelopes",
    summary: "Get a link to the final PDF of a document",
    description:
      "Once every participant has finished, the platform seals the document with a signature over the whole final PDF. `url` is a link that needs no token and expires at `expires_at`, at most five minutes later. Returns 409 `conflict` until the document has a final PDF.",
  },
  graphql: {
    field: "finalDocumentDownload",
    description:
      "A link to the final PDF of a document of an envelope. Returns 409 conflict until the document has a final PDF.",
    payload: {
      name: "FinalDocumentDownload",
      description: "A link to the final PDF.",
      members: z.object({
        url: z.url().meta({ description: "The link. Keep it secret." }),
        expires_at: z.iso.datetime().meta({ description: "When the link expires (UTC)." }),
      }),
    },
  },
  run: async ({ call, parts }, input) => {
    const answer = await call("find_final_document", input);
    const { tenant_id: tenantId, environment, object_id: objectId } = found.parse(JSON.parse(answer.body ?? "null"));
    return { ...answer, body: JSON.stringify(linkToFile(parts.fileLinks, { tenantId, environment, objectId })) };
  },
});
