import { z } from "zod";
import { linkToFile } from "../documents/files.ts";
import { operation } from "../parts.ts";

const found = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), object_id: z.uuid() });

/** A link to a file that a participant delivered. SQL finds the object, TypeScript signs the link. */
export const downloadAttachment = operation({
  name: "downloadAttachment",
  command: "find_attachment",
  answers: { schema: "DocumentDownload" },
  errors: ["not_found"],
  rest: {
    method: "GET",
    path: "/envelopes/{id}/attachments/{field_id}",
    status: 200,
    session: true,
    tag: "Envelopes",
    summary: "Get a link to a file that a participant delivered",
    description:
      "The file of a field of type anexo. `url` is a link that needs no token and expires at `expires_at`, at most five minutes later. Returns 404 `not_found` until the participant has finished. The signed record has the SHA-256, size and type of the file.",
  },
  graphql: {
    field: "attachmentDownload",
    description:
      "A link to a file that a participant delivered for a field of type anexo. Returns 404 not_found until the participant has finished.",
    payload: {
      name: "AttachmentDownload",
      description: "A link to a delivered file.",
      members: z.object({
        url: z.url().meta({ description: "The link. Keep it secret." }),
        expires_at: z.iso.datetime().meta({ description: "When the link expires (UTC)." }),
      }),
    },
  },
  run: async ({ call, parts }, input) => {
    const answer = await call("find_attachment", input);
    const { tenant_id: tenantId, environment, object_id: objectId } = found.parse(JSON.parse(answer.body ?? "null"));
    return { ...answer, body: JSON.stringify(linkToFile(parts.fileLinks, { tenantId, environment, objectId })) };
  },
});
