import type { Stamp } from "./stamp.ts";

/** What the sealer's process is told, before the bytes of the PDF. */
export interface Plan {
  /** When the seal is made: ISO 8601. */
  readonly at: string;
  /** Why, as readers show it. */
  readonly reason: string;
  /** The certificate, DER in base64: public. */
  readonly certificate: string;
  /** Room for the signature, in bytes. */
  readonly room: number;
  readonly stamps: readonly Stamp[];
}
