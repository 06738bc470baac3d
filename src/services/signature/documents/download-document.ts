import { z } from "zod";
import { operation } from "../parts.ts";

const found = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), object_id: z.uuid() });

/** A link to the content of a document, for a few minutes. SQL finds the object, TypeScript signs the link. */
export const downloadDocument = operation({
  name: "downloadDocument",
  command: "find_download",
  answers: { schema: "DocumentDownload" },
  errors: ["not_found", "conflict"],
  rest: {
    method: "GET",
    path: "/documents/{id}/download",
    status: 200,
    tag: "Documents",
    summary: "Get a link to the content of a document",
    description:
      "`url` is a link that needs no token and ends at `expires_at`, at most five minutes later: fetch it at once, and neither keep it nor hand it on. " +
      "A document that is not `ready` has no link: 409 `conflict`.",
  },
  graphql: {
    field: "documentDownload",
    description: "A link to the content of a ready document, which needs no token and ends after at most five minutes.",
    payload: {
      name: "DocumentDownload",
      description: "A link to the content of a document.",
      members: z.object({
        url: z.url().meta({ description: "The link: a secret." }),
        expires_at: z.iso.datetime().meta({ description: "When the link ends (UTC)." }),
      }),
    },
  },
  run: async ({ call, parts }, { id }) => {
    const answer = await call("find_download", { id });
    const { tenant_id: tenantId, environment, object_id: objectId } = found.parse(JSON.parse(answer.body ?? "null"));
    return { ...answer, body: JSON.stringify(parts.fileLinks.downloadLink({ tenantId, environment, objectId })) };
  },
});
