import { operation } from "../parts.ts";
import { type InvoiceFileKind, invoiceFile } from "./invoice-files.ts";

interface Document {
  readonly name: string;
  readonly kind: Exclude<InvoiceFileKind, "response">;
  readonly contentType: "application/xml" | "application/pdf";
  readonly summary: string;
  readonly answers: string;
  readonly description: string;
}

/** The operation that answers the bytes of a file of an invoice. */
const downloadOf = ({ name, kind, contentType, summary, answers, description }: Document) =>
  operation({
    name,
    command: "read_invoice_document",
    made: ["kind"],
    answers: { file: contentType, description: answers },
    errors: ["not_found", "file_missing"],
    rest: {
      method: "GET",
      path: `/invoices/{id}/files/${kind}/raw`,
      session: true,
      status: 200,
      tag: "Invoices",
      summary,
      description,
    },
    run: async ({ call, parts }, { id }) =>
      invoiceFile(kind, JSON.parse((await call("read_invoice_document", { id, kind })).body ?? "null"), parts),
  });

/** The NFS-e. */
export const downloadNfse = downloadOf({
  name: "downloadNfse",
  kind: "xml",
  contentType: "application/xml",
  summary: "Download the NFS-e of an invoice",
  answers: "the NFS-e, byte for byte as signed.",
  description: "404 `file_missing` before it exists.",
});

/** The signed DPS. */
export const downloadDps = downloadOf({
  name: "downloadDps",
  kind: "dps",
  contentType: "application/xml",
  summary: "Download the signed DPS of an invoice",
  answers: "the signed DPS, byte for byte as signed.",
  description: "404 `file_missing` before it exists.",
});

/** The DANFSe: a PDF for people. */
export const downloadDanfse = downloadOf({
  name: "downloadDanfse",
  kind: "pdf",
  contentType: "application/pdf",
  summary: "Download the DANFSe of an invoice",
  answers: "The DANFSe.",
  description:
    "A PDF drawn from the NFS-e, which is its attachment `nfse.xml`. In test, and of an NFS-e of the simulator, each page says SEM VALIDADE JURÍDICA, and of a canceled invoice CANCELADA. 404 `file_missing` before the authorization.",
});
