import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";

const found = z.object({ content: z.string() });

/** The operation that answers the bytes of a document of an invoice, as they were signed. */
const documentOf = (name: string, kind: "xml" | "dps", fileName: string, words: string) =>
  operation({
    name,
    command: "read_invoice_document",
    made: ["kind"],
    answers: { file: "application/xml", description: `${words}, byte for byte as signed.` },
    errors: ["not_found", "file_missing"],
    rest: {
      method: "GET",
      path: `/invoices/{id}/files/${kind}/raw`,
      session: true,
      status: 200,
      tag: "Invoices",
      summary: `Download ${words} of an invoice`,
      description: "404 `file_missing` before it exists.",
    },
    run: async ({ call }, { id }) => {
      const { body } = await call("read_invoice_document", { id, kind });
      const { content } = found.parse(JSON.parse(body ?? "null"));
      const xml = gunzipSync(Buffer.from(content, "base64"));
      return { file: bytesInMemory(xml), contentType: "application/xml", fileName: `${fileName}-${id}.xml` };
    },
  });

/** The NFS-e. */
export const downloadNfse = documentOf("downloadNfse", "xml", "nfse", "the NFS-e");

/** The signed DPS. */
export const downloadDps = documentOf("downloadDps", "dps", "dps", "the signed DPS");
