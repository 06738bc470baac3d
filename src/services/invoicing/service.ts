import type { PlatformsOwn } from "../platform/parts.ts";
import type { Service } from "../service.ts";
import type { Own } from "../started-service.ts";
import { invoicingOperations } from "./operations.ts";
import type { InvoicingParts } from "./parts.ts";
import { invoicingSettings } from "./settings.ts";

/** Brazilian service invoices (NFS-e). */
export const invoicing: Service<InvoicingParts> = {
  name: "invoicing",
  operations: invoicingOperations,
  settings: invoicingSettings,
  openapi: async () => (await import("./openapi.ts")).invoicingDescription,
  examples: async () => (await import("./examples.ts")).invoicingExamples,
  errorHelp: async () => (await import("./error-help.ts")).invoicingErrorHelp,
  ownRoutes: [async (app, parts) => (await import("./invoices/invoice-files.ts")).invoiceFilesPlugin(app, parts)],
  mails: async () => (await import("./mails.ts")).invoicingMails,
  parts: async (_common, { onClose }): Promise<Own<InvoicingParts, PlatformsOwn>> => {
    const { PdfRenderer } = await import("../../adapters/pdf/pdf-renderer.ts");
    const danfseRenderer = new PdfRenderer();
    onClose(() => danfseRenderer.close());
    const { FairSlots } = await import("../../adapters/fair-slots.ts");
    return {
      danfseRenderer,
      danfseSlots: new FairSlots(2, { perGroup: 2, mostOfGroup: 32, most: 96 }),
      certificateSlots: new FairSlots(2, { perGroup: 1, mostOfGroup: 3, most: 12 }),
    };
  },
  sealedColumns: async () => {
    const { issuerKeyPurpose } = await import("./catalog/issuer-key.ts");
    return [{ table: "invoicing.issuers", column: "sealed_key", purpose: ({ id }) => issuerKeyPurpose(String(id)) }];
  },
  beside: [async (context) => (await import("../../../workers/invoicing/transmit.ts")).transmitInvoices(context)],
  tasks: {
    warn_of_certificates: {
      load: async () => (await import("../../../workers/invoicing/warn-of-certificates.ts")).warnOfCertificates,
      schedule: { at: "23 * * * *", attempts: 1 },
    },
  },
  companions: [async (context) => (await import("./simulator-beside.ts")).simulatorBeside(context)],
};
