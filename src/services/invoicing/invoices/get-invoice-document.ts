import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { danfseContent } from "../../../adapters/pdf/danfse-content.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";

const found = z.object({
  /** Gzipped, base64. */
  content: z.string(),
  environment: z.enum(["live", "test"]),
  canceled_at: z.string().nullable(),
});

/** What SQL answers of a document. */
function documentIn(body: string | null) {
  const { content, ...more } = found.parse(JSON.parse(body ?? "null"));
  return { xml: gunzipSync(Buffer.from(content, "base64")), ...more };
}

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
      const { xml } = documentIn((await call("read_invoice_document", { id, kind })).body);
      return { file: bytesInMemory(xml), contentType: "application/xml", fileName: `${fileName}-${id}.xml` };
    },
  });

/** The NFS-e. */
export const downloadNfse = documentOf("downloadNfse", "xml", "nfse", "the NFS-e");

/** The signed DPS. */
export const downloadDps = documentOf("downloadDps", "dps", "dps", "the signed DPS");

/** The DANFSe: a PDF for people, drawn from the NFS-e for each request and kept nowhere. */
export const downloadDanfse = operation({
  name: "downloadDanfse",
  command: "read_invoice_document",
  made: ["kind"],
  answers: { file: "application/pdf", description: "The DANFSe." },
  errors: ["not_found", "file_missing"],
  rest: {
    method: "GET",
    path: "/invoices/{id}/files/pdf/raw",
    session: true,
    status: 200,
    tag: "Invoices",
    summary: "Download the DANFSe of an invoice",
    description:
      "A PDF drawn from the NFS-e, which is its attachment `nfse.xml`. In test each page says SEM VALIDADE JURÍDICA, and of a canceled invoice CANCELADA. 404 `file_missing` before the authorization.",
  },
  run: async ({ call, parts }, { id }) => {
    const { xml, environment, canceled_at } = documentIn(
      (await call("read_invoice_document", { id, kind: "xml" })).body,
    );
    const content = danfseContent(xml.toString("utf8"), { environment, canceledAt: canceled_at });
    const pdf = await parts.danfseRenderer.render(content);
    return { file: bytesInMemory(pdf), contentType: "application/pdf", fileName: `danfse-${id}.pdf` };
  },
});
