import {
  type PDF,
  type PDFForm,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  type PdfRef,
  PdfString,
} from "@libpdf/core";
import type { SignaturePlan } from "../plan.ts";
import { newName } from "./new-name.ts";

/** The field that holds the seal. */
const FIELD = "Selo";
/** Stands for a number of the byte range until it is known: as long as the longest. */
const UNKNOWN = 9_999_999_999;
const RANGE = `/ByteRange [0 ${UNKNOWN} ${UNKNOWN} ${UNKNOWN}]`;
/** Printed and locked. */
const WIDGET_FLAGS = 132;

/** Adds a signature that has room, and no byte range yet. The library's own would need a key, and knows no certification. */
export function addSignature(pdf: PDF, plan: SignaturePlan): void {
  const { at, reason, name, room, certify, emptyFields = [] } = plan;
  if (
    certify &&
    (pdf.getForm()?.getFields() ?? []).some((field) => field.type === "signature" && field.getDict().has("V"))
  )
    throw new Error("a later signature cannot certify");
  const signature = PdfDict.of({
    Type: PdfName.of("Sig"),
    Filter: PdfName.of("Adobe.PPKLite"),
    SubFilter: PdfName.of("ETSI.CAdES.detached"),
    ByteRange: new PdfArray([0, UNKNOWN, UNKNOWN, UNKNOWN].map((number) => PdfNumber.of(number))),
    Contents: PdfString.fromBytes(new Uint8Array(room)),
    M: PdfString.fromString(`D:${at.slice(0, 19).replaceAll(/[-:T]/g, "")}Z`),
  });
  if (reason !== "") signature.set("Reason", textOf(reason));
  if (name !== undefined) signature.set("Name", inHex(name));
  if (certify) signature.set("Reference", certification());
  const wanted = plan.field ?? newName(pdf.getForm(), FIELD);
  const ref = pdf.register(signature);
  const form = pdf.getOrCreateForm();
  const empty = emptyField(form, wanted);
  if (empty === undefined) addField(pdf, form, wanted, ref);
  else empty.set("V", ref);
  for (const each of emptyFields) addField(pdf, form, each);
}

/**
 * Writes the byte range of the signature that was added: all but its room.
 * @param from where what was added begins
 */
export function writeByteRange(made: Buffer, from: number, room: number): void {
  const at = made.lastIndexOf(RANGE);
  const start = made.indexOf("<", at + RANGE.length);
  if (at < from || start < 0) throw new Error("the signature was not written");
  const end = start + 2 * room + 2;
  const numbers = [start, end, made.length - end].map((number) => String(number).padEnd(String(UNKNOWN).length));
  made.write(`/ByteRange [0 ${numbers.join(" ")}]`, at, "latin1");
}

/** A field of that name that waits for a signature. */
function emptyField(form: PDFForm, name: string): PdfDict | undefined {
  const field = form.getFields().find((each) => each.name === name);
  if (field === undefined) return undefined;
  if (field.type !== "signature" || field.getDict().has("V")) throw new Error("the field cannot be signed");
  return field.getDict();
}

/** A field that is its own widget, and is not seen: as the library makes those that it signs. */
function addField(pdf: PDF, form: PDFForm, name: string, signature?: PdfRef): void {
  const page = pdf.getPage(0);
  if (page === null) throw new Error("the document has no pages");
  const field = form.createSignatureField(name).getDict();
  field.delete("Kids");
  if (signature !== undefined) field.set("V", signature);
  const members: Record<string, PdfObject> = {
    Type: PdfName.of("Annot"),
    Subtype: PdfName.of("Widget"),
    F: PdfNumber.of(WIDGET_FLAGS),
    P: page.ref,
    Rect: new PdfArray([0, 0, 0, 0].map((number) => PdfNumber.of(number))),
  };
  for (const [key, value] of Object.entries(members)) field.set(key, value);
}

/** Later signatures, and nothing else (ISO 32000-2, 12.8.2.2). */
const certification = () =>
  new PdfArray([
    PdfDict.of({
      Type: PdfName.of("SigRef"),
      TransformMethod: PdfName.of("DocMDP"),
      TransformParams: PdfDict.of({
        Type: PdfName.of("TransformParams"),
        P: PdfNumber.of(2),
        V: PdfName.of("1.2"),
      }),
    }),
  ]);

/** What readers show. In hexadecimal nothing of a text looks like a part of the PDF, such as another byte range. */
const inHex = (text: string) => PdfString.fromBytes(PdfString.fromString(text).bytes);
const textOf = (text: string) => (/^[A-Za-z0-9 -]*$/.test(text) ? PdfString.fromString(text) : inHex(text));
