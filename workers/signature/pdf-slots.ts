import { FairSlots } from "../../src/adapters/fair-slots.ts";

/**
 * The turns of a worker's processes that read PDFs, checks and seals together: one for each core at once, and half of them for one
 * organization. Each may need up to a gigabyte.
 */
export const pdfSlots = new FairSlots();
