import { z } from "zod";
import { linkPath } from "../../platform/files/linked-files.ts";
import { operation } from "../parts.ts";
import { LINK_ROUTE } from "./invoice-files.ts";

const found = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), object_id: z.uuid() });

/** A link to a file of an invoice, for five minutes. SQL finds the file, TypeScript signs the link. */
export const linkInvoiceFile = operation({
  name: "linkInvoiceFile",
  command: "find_invoice_file",
  answers: { schema: "InvoiceFileLink" },
  errors: ["not_found", "file_missing"],
  rest: {
    method: "GET",
    path: "/invoices/{id}/files/{kind}",
    session: true,
    status: 200,
    tag: "Invoices",
    summary: "Get a link to a file of an invoice",
    description:
      "`kind` is `pdf` (the DANFSe), `xml` (the NFS-e), `dps` (the signed DPS) or `response` (the last answer of the tax authority, JSON). `url` is a link that needs no token and expires at `expires_at`, five minutes later. 404 `file_missing` before the file exists.",
  },
  graphql: {
    field: "invoiceFileLink",
    description:
      "A link to a file of an invoice. The link needs no token and expires after five minutes. 404 file_missing before the file exists.",
    payload: {
      name: "InvoiceFileLink",
      description: "A link to a file of an invoice.",
      members: z.object({
        url: z.url().meta({ description: "The link. Keep it secret." }),
        expires_at: z.iso.datetime().meta({ description: "When the link expires (UTC)." }),
      }),
    },
  },
  run: async ({ call, parts }, { id, kind }) => {
    const answer = await call("find_invoice_file", { id, kind });
    const { tenant_id: tenantId, environment, object_id: objectId } = found.parse(JSON.parse(answer.body ?? "null"));
    const path = linkPath(LINK_ROUTE, { kind });
    return { ...answer, body: JSON.stringify(parts.fileLinks.downloadLink(path, { tenantId, environment, objectId })) };
  },
});
