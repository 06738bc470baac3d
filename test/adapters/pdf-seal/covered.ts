// PDFs whose pages would hide what is drawn in their content: by what lies above it, or by what the content leaves open.
import { onePage, pdf, stream } from "../pdf-check/pdf-file.ts";

/** White, over all of a page. */
const WHITE = stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "1 1 1 rg 0 0 612 792 re f");
const HELLO = "BT /F 24 Tf 72 700 Td (Hello) Tj ET";
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const RESOURCES = "/Resources << /Font << /F 5 0 R >> /Properties << /L 6 0 R >> >>";

const withAnnotation = (annotation: string, catalog = "") =>
  pdf(
    onePage({
      catalog,
      page: "/Annots [4 0 R]",
      objects: { 4: `<< /Type /Annot /Rect [0 0 612 792] /F 4 /P 3 0 R /AP << /N 7 0 R >> ${annotation} >>`, 7: WHITE },
    }),
  );
const withContent = (content: string) =>
  pdf(
    onePage({
      catalog: "/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>",
      page: `/Contents 4 0 R ${RESOURCES}`,
      objects: { 4: stream("", content), 5: FONT, 6: "<< /Type /OCG /Name (Draft) >>" },
    }),
  );

export const covered: readonly (readonly [name: string, pdf: Buffer])[] = [
  ["under a white form field", withAnnotation("/Subtype /Widget /FT /Tx /T (a)", "/AcroForm << /Fields [4 0 R] >>")],
  ["under a white rectangle of a reviewer", withAnnotation("/Subtype /Square /IC [1 1 1]")],
  ["under a stamp", withAnnotation("/Subtype /Stamp")],
  ["after a hidden layer that was left open", withContent(`${HELLO} /OC /L BDC ${HELLO}`)],
  ["after two hidden layers, one of them closed", withContent(`/OC /L BDC /OC /L BDC ${HELLO} EMC`)],
  ["after a clip that leaves nothing", withContent(`${HELLO} 0 0 1 1 re W n`)],
  ["after marked content that ends in a state that was left open", withContent(`q /OC /L BDC q ${HELLO}`)],
];
