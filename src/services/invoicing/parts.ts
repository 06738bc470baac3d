import type { PdfRenderer } from "../../adapters/pdf/pdf-renderer.ts";
import { operationsOf } from "../../surfaces/operation.ts";
import type { CommonParts } from "../started-service.ts";

/** The objects that this service's operations work with. */
export interface InvoicingParts extends CommonParts {
  /** Draws DANFSe. */
  readonly danfseRenderer: PdfRenderer;
}

export const operation = operationsOf<InvoicingParts>();
