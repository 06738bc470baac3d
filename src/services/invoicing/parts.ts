import type { FairSlots } from "../../adapters/fair-slots.ts";
import type { PdfRenderer } from "../../adapters/pdf/pdf-renderer.ts";
import { operationsOf } from "../../surfaces/operation.ts";
import type { PlatformParts } from "../platform/parts.ts";

/** The objects that this service's operations work with. */
export interface InvoicingParts extends PlatformParts {
  /** Draws DANFSe. */
  readonly danfseRenderer: PdfRenderer;
  /** The turns of organizations at it. */
  readonly danfseSlots: FairSlots;
  /** Files of certificates are read by programs of up to 256 MiB: a few at a time, by the address that asks. */
  readonly certificateSlots: FairSlots;
}

export const operation = operationsOf<InvoicingParts>();
