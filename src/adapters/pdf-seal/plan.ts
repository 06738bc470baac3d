/** The exit code of a sealer that cannot seal the PDF. Node itself exits with 1 when a file of ours is missing, or our code fails. */
export const REFUSED = 65;
/** The exit code for a PDF whose certification allows no change. */
export const CLOSED = 66;

/** What the sealer's process is told, before the bytes of the PDF. */
export interface Plan {
  /** What is drawn. */
  readonly overlay: Overlay | null;
  /** What is signed; null where something is drawn alone. */
  readonly signature: SignaturePlan | null;
}

export interface SignaturePlan {
  /** When it is signed: ISO 8601. */
  readonly at: string;
  /** Why, as readers show it. */
  readonly reason: string;
  /** The certificate, DER in base64: public. */
  readonly certificate: string;
  /** Room for the signature, in bytes. */
  readonly room: number;
  /** Who signs, as readers show it. */
  readonly name?: string | undefined;
  /** The field that is signed: an empty one of this name, or else a new one. Without it, a new one whose name no other has. */
  readonly field?: string | undefined;
  /** New fields that stay empty, for those who sign later. */
  readonly emptyFields?: readonly string[] | undefined;
  /** Whether the signature allows later ones, and nothing else: it must be the first. */
  readonly certify?: boolean | undefined;
  /** Whether a PDF is refused whose certification allows no change. */
  readonly refuseClosed?: boolean | undefined;
}

/** In points, from the left and the top of the page as displayed. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Overlay {
  /** The numbers of the pages that are drawn on, from 1. */
  readonly pages: readonly number[];
  /** What is drawn on each of them lies in these boxes. */
  readonly boxes: readonly (readonly Box[])[];
  /** A PDF in base64, made by us: a page for each of them, as large as the page is displayed. */
  readonly pdf: string;
}
