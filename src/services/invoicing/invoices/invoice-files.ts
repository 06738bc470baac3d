import { gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { danfseContent } from "../../../adapters/pdf/danfse-content.ts";
import { unavailable } from "../../../errors/app-error.ts";
import type { FileAnswer } from "../../../surfaces/operation.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { serveLinkedFiles } from "../../platform/files/linked-files.ts";
import type { InvoicingParts } from "../parts.ts";
import { readLinkedFile } from "../store.ts";

/** The files of an invoice: DANFSe, NFS-e, signed DPS, and the last answer of the tax authority. */
export const FILE_KINDS = ["pdf", "xml", "dps", "response"] as const;
export type InvoiceFileKind = (typeof FILE_KINDS)[number];

/** The route of links to files of invoices. */
export const LINK_ROUTE = "/invoice-files/:kind/:token";

const kindOf = z.enum(FILE_KINDS);

/** What invoicing.file_json answers. */
const made = z.object({
  tenant_id: z.uuid(),
  invoice_id: z.uuid(),
  /** Gzipped, base64. */
  content: z.string(),
  environment: z.enum(["live", "test"]),
  canceled_at: z.string().nullable(),
});

const FORMS = {
  xml: { contentType: "application/xml", name: "nfse", ending: "xml" },
  dps: { contentType: "application/xml", name: "dps", ending: "xml" },
  pdf: { contentType: "application/pdf", name: "danfse", ending: "pdf" },
  response: { contentType: "application/json", name: "response", ending: "json" },
} as const;

/**
 * A file of an invoice, from what SQL answers. The DANFSe is drawn from the NFS-e for each request, and kept nowhere.
 * @throws AppError 503 while too many are asked for
 */
export async function invoiceFile(
  kind: InvoiceFileKind,
  answered: unknown,
  { danfseRenderer, danfseSlots }: Pick<InvoicingParts, "danfseRenderer" | "danfseSlots">,
): Promise<Pick<FileAnswer, "file" | "contentType" | "fileName">> {
  const { tenant_id, invoice_id, content, environment, canceled_at } = made.parse(answered);
  const { contentType, name, ending } = FORMS[kind];
  const bytes = gunzipSync(Buffer.from(content, "base64"));
  const file =
    kind === "pdf"
      ? await danfseSlots
          .run(tenant_id, () =>
            danfseRenderer.render(danfseContent(bytes.toString("utf8"), { environment, canceledAt: canceled_at })),
          )
          .catch((error: unknown) => {
            throw error instanceof SlotsBusyError ? unavailable(error) : error;
          })
      : bytes;
  return { file: bytesInMemory(file), contentType, fileName: `${name}-${invoice_id}.${ending}` };
}

/** `GET /invoice-files/{kind}/{token}`: the file of a signed link. */
export async function invoiceFilesPlugin(app: FastifyInstance, parts: InvoicingParts): Promise<void> {
  serveLinkedFiles(app, LINK_ROUTE, parts, async (linked, parameters) => {
    const kind = kindOf.safeParse(parameters["kind"]);
    if (!kind.success) return null;
    const found = await readLinkedFile(parts.database, linked, kind.data);
    return found === null ? null : invoiceFile(kind.data, found, parts);
  });
}
