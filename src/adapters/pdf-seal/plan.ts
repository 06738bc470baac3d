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
  /** What is drawn. */
  readonly overlay: Overlay | null;
}

export interface Overlay {
  /** The numbers of the pages that are drawn on, from 1. */
  readonly pages: readonly number[];
  /** A PDF in base64, made by us: a page for each of them, as large as the page is displayed. */
  readonly pdf: string;
}
