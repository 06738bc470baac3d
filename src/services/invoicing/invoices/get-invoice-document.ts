import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";

const found = z.object({ content: z.string() });

/** The bytes of a document of an invoice, as they were signed. */
export const getInvoiceDocument = operation({
  name: "getInvoiceDocument",
  command: "read_invoice_document",
  answers: { file: "application/xml", description: "The document, byte for byte as it was signed." },
  errors: ["not_found", "file_missing"],
  rest: {
    method: "GET",
    path: "/invoices/{id}/files/{kind}/raw",
    session: true,
    status: 200,
    tag: "Invoices",
    summary: "Download a document of an invoice",
    description: "`xml` is the NFS-e, and `dps` the signed DPS. 404 `file_missing` before it exists.",
  },
  run: async ({ call }, { id, kind }) => {
    const { body } = await call("read_invoice_document", { id, kind });
    const { content } = found.parse(JSON.parse(body ?? "null"));
    const xml = gunzipSync(Buffer.from(content, "base64"));
    return {
      file: bytesInMemory(xml),
      contentType: "application/xml",
      fileName: `${kind === "xml" ? "nfse" : "dps"}-${id}.xml`,
    };
  },
});
