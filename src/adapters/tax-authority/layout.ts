import { z } from "zod";
import type { DpsFacts } from "./dps-facts.ts";
import { latinText } from "./layout-text.ts";

/** Of xMotivo, in characters. */
export const MOST_REASON = 255;

/** Schema of {@link CancellationFacts}. */
export const cancellationFacts = z.strictObject({
  environment: z.enum(["live", "test"]),
  access_key: z.string().regex(/^\d{50}$/),
  /** Of the issuer. */
  cnpj: z.string().regex(/^\d{14}$/),
  /** dhEvento: whole seconds with an offset of whole hours. */
  requested_at: z.string().regex(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d([-+](0\d|1[01])|\+12):00$/),
  /** cMotivo: 1 mistake, 2 service not provided, 9 other. */
  reason_code: z.enum(["1", "2", "9"]),
  /** xMotivo: 15 to 255 characters, as they are written. */
  reason: z.string().refine((given) => [...given].length <= MOST_REASON && latinText(given, MOST_REASON).length >= 15, {
    error: "15 to 255 characters",
  }),
});

/** What a request for cancellation says. */
export type CancellationFacts = z.infer<typeof cancellationFacts>;

/** A document before its signature. */
export interface UnsignedXml {
  /** The Id of the element to sign. */
  readonly id: string;
  readonly xml: string;
}

/** One version of the national layout. Later versions stand beside it, because kept documents stay in theirs. */
export interface NfseLayout {
  readonly version: string;
  /** Writes a DPS without its signature. */
  writeDps(facts: DpsFacts): UnsignedXml;
  /** Writes a request for cancellation (pedRegEvento) without its signature. */
  writeCancellation(facts: CancellationFacts): UnsignedXml;
}
