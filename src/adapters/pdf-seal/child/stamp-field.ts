import { type PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfRef, PdfString } from "@libpdf/core";
import { newName } from "./new-name.ts";

/** The field that has stamps as its buttons. */
const FIELD = "Selo stamps";
/** Read only, and a push button, which has no value (ISO 32000-2, 12.7.5.2.2). */
const FIELD_FLAGS = 1 | 65_536;

/** What a button shows. */
export interface ButtonLook {
  /** As the annotation shows it. */
  readonly appearance: PdfRef;
  /** The same upright, from the point 0, 0: a reader that draws all fields anew (`/NeedAppearances`) makes the appearance from it. */
  readonly icon: PdfRef;
  /** By how much the appearance is turned against it. */
  readonly turned: number;
}

/** Members of an annotation that make it a button of a form. PDF/A wants the appearances of a button by their states (ISO 19005-2, 6.3.3). */
export const buttonMembers = ({ appearance, icon, turned }: ButtonLook): Record<string, PdfName | PdfDict> => ({
  Subtype: PdfName.of("Widget"),
  H: PdfName.of("N"),
  AP: PdfDict.of({ N: PdfDict.of({ On: appearance }) }),
  AS: PdfName.of("On"),
  MK: PdfDict.of({
    R: PdfNumber.of(turned),
    // No words, and the icon fills the button (12.5.6.19).
    TP: PdfNumber.of(1),
    I: icon,
    IF: PdfDict.of({ SW: PdfName.of("A"), S: PdfName.of("A"), FB: PdfBool.of(true) }),
  }),
});

/** Adds a field to the form of a document, which may have no form yet. */
export function addStampField(pdf: PDF, buttons: readonly (readonly [ref: PdfRef, button: PdfDict])[]): void {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const name = newName(pdf.getOrCreateForm(), FIELD);
  const form = pdf.context.catalog.getDict().getDict("AcroForm", resolve);
  if (form === undefined) throw new Error("the form was not made");
  const field = pdf.register(
    PdfDict.of({
      FT: PdfName.of("Btn"),
      Ff: PdfNumber.of(FIELD_FLAGS),
      T: PdfString.fromString(name),
      Kids: new PdfArray(buttons.map(([ref]) => ref)),
    }),
  );
  for (const [, button] of buttons) button.set("Parent", field);
  form.set("Fields", new PdfArray([...(form.getArray("Fields", resolve) ?? []), field]));
}
