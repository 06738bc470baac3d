import { z } from "zod";
import { operation } from "../parts.ts";

/** The final PDF of a document of an envelope. No envelope has one yet: SQL refuses each request. */
export const downloadFinalDocument = operation({
  name: "downloadFinalDocument",
  command: "find_final_document",
  answers: { schema: "DocumentDownload" },
  errors: ["not_found", "conflict"],
  rest: {
    method: "GET",
    path: "/envelopes/{id}/documents/{document_id}/download",
    status: 200,
    tag: "Envelopes",
    summary: "Get a link to the final PDF of a document",
    description: "409 `conflict` until the document has a final PDF. This version of Selo makes none yet.",
  },
  graphql: {
    field: "finalDocumentDownload",
    description: "A link to the final PDF of a document of an envelope. 409 conflict until there is one.",
    payload: {
      name: "FinalDocumentDownload",
      description: "A link to the final PDF.",
      members: z.object({
        url: z.url().meta({ description: "The link: a secret." }),
        expires_at: z.iso.datetime().meta({ description: "When the link ends (UTC)." }),
      }),
    },
  },
  run: ({ call }, input) => call("find_final_document", input),
});
