/** The sealer's process came to no result. The message has nothing of the document. */
export class SealingFailed extends Error {
  override readonly name: string = "SealingFailed";
}

/** The sealer cannot seal this PDF, however often it is tried. */
export class Unsealable extends SealingFailed {
  override readonly name: string = "Unsealable";
}

/** The certification of the PDF allows no change (DocMDP, `/P 1`): a further signature would break it. */
export class CertifiedClosed extends Unsealable {
  override readonly name = "CertifiedClosed";
}
