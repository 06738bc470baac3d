import { z } from "zod";
import { operation } from "../parts.ts";
import { linkToFile } from "./files.ts";

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
    session: true,
    tag: "Documents",
    summary: "Get a link to the content of a document",
    description:
      "`url` is a link that needs no token and expires at `expires_at`, at most five minutes later. Fetch it immediately. Do not store it or pass it on. Returns 409 `conflict` for a document that is not `ready`.",
  },
  graphql: {
    field: "documentDownload",
    description:
      "A link to the content of a ready document. The link needs no token and expires after at most five minutes.",
    payload: {
      name: "DocumentDownload",
      description: "A link to the content of a document.",
      members: z.object({
        url: z.url().meta({ description: "The link. Keep it secret." }),
        expires_at: z.iso.datetime().meta({ description: "When the link expires (UTC)." }),
      }),
    },
  },
  run: async ({ call, parts }, { id }) => {
    const answer = await call("find_download", { id });
    const { tenant_id: tenantId, environment, object_id: objectId } = found.parse(JSON.parse(answer.body ?? "null"));
    return { ...answer, body: JSON.stringify(linkToFile(parts.fileLinks, { tenantId, environment, objectId })) };
  },
});
