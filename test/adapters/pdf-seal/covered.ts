// PDFs whose pages would hide what is drawn in their content: by what lies above it, or by what the content leaves open.
import zlib from "node:zlib";
import { onePage, pdf, stream } from "../pdf-check/pdf-file.ts";

/** White, over all of a page. */
const WHITE = stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", "1 1 1 rg 0 0 612 792 re f");
const HELLO = "BT /F 24 Tf 72 700 Td (Hello) Tj ET";
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const RESOURCES = "/Resources << /Font << /F 5 0 R >> /Properties << /L 6 0 R >> >>";

const FORM = "/AcroForm << /Fields [4 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>";
const DRAWN_ANEW = "/AcroForm << /Fields [4 0 R] /NeedAppearances true >>";
const BACKGROUND = "/MK << /BG [1 1 1] >>";

const withAnnotation = (annotation: string, catalog = "") =>
  pdf(
    onePage({
      catalog,
      page: "/Annots [4 0 R]",
      objects: { 4: `<< /Type /Annot /Rect [0 0 612 792] /F 4 /P 3 0 R /AP << /N 7 0 R >> ${annotation} >>`, 7: WHITE },
    }),
  );
const withContent = (content: string, written = (text: string) => stream("", text)) =>
  pdf(
    onePage({
      catalog: "/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>",
      page: `/Contents 4 0 R ${RESOURCES}`,
      objects: { 4: written(content), 5: FONT, 6: "<< /Type /OCG /Name (Draft) >>" },
    }),
  );

/** A form field over all of a page, which may be turned. */
const withField = (field: string, { catalog = FORM, page = "", name = "a" } = {}) =>
  pdf(
    onePage({
      catalog,
      page: `/Annots [4 0 R] ${page}`,
      objects: {
        4: `<< /Type /Annot /Subtype /Widget /T (${name}) /Rect [0 0 612 792] /F 4 /P 3 0 R ${field} >>`,
        5: FONT,
        7: WHITE,
        8: WHITE,
      },
    }),
  );

export const covered: readonly (readonly [name: string, pdf: Buffer])[] = [
  ["under a white form field", withAnnotation("/Subtype /Widget /FT /Tx /T (a)", "/AcroForm << /Fields [4 0 R] >>")],
  ["under a text field that readers draw, with a background", withField(`/FT /Tx ${BACKGROUND}`)],
  [
    "on a turned page, under a field of a form that readers draw anew",
    withField(`/FT /Tx ${BACKGROUND}`, { catalog: DRAWN_ANEW, page: "/Rotate 90" }),
  ],
  ["under a white rectangle of a reviewer", withAnnotation("/Subtype /Square /IC [1 1 1]")],
  ["under a stamp", withAnnotation("/Subtype /Stamp")],
  ["after a hidden layer that was left open", withContent(`${HELLO} /OC /L BDC ${HELLO}`)],
  ["after two hidden layers, one of them closed", withContent(`/OC /L BDC /OC /L BDC ${HELLO} EMC`)],
  ["after a clip that leaves nothing", withContent(`${HELLO} 0 0 1 1 re W n`)],
  [
    "after a hidden layer in content with a wrong checksum",
    withContent(`${HELLO} /OC /L BDC ${HELLO}`, (content) => {
      const deflated = zlib.deflateSync(content);
      deflated[deflated.length - 1] = (deflated.at(-1) ?? 0) ^ 1;
      return stream("/Filter /FlateDecode", deflated);
    }),
  ],
  ["after marked content that ends in a state that was left open", withContent(`q /OC /L BDC q ${HELLO}`)],
];

const CHECKBOX = "/FT /Btn /V /Yes /AS /Yes";

/** Form fields of every type, each of which hides what lies below it. */
export const fields: readonly (readonly [name: string, pdf: Buffer])[] = [
  ["a text field with a value, and a background", withField(`/FT /Tx /V (x) ${BACKGROUND}`)],
  ["a field that cannot be changed", withField("/FT /Tx /Ff 1 /AP << /N 7 0 R >>")],
  ["a field that the form does not name", withField("/FT /Tx /AP << /N 7 0 R >>", { catalog: "" })],
  ["a field with a name of Selo's", withField("/FT /Tx /AP << /N 7 0 R >>", { name: "Selo stamps" })],
  ["a choice", withField(`/FT /Ch /Ff 131072 /V (b) /Opt [(b)] ${BACKGROUND}`)],
  ["a white checkbox", withField(`${CHECKBOX} /AP << /N << /Yes 7 0 R /Off 8 0 R >> >>`)],
  ["a checkbox that readers draw", withField(`${CHECKBOX} /MK << /CA (4) /BG [1 1 1] >> /DA (/ZaDb 0 Tf 0 g)`)],
  ["a push button", withField("/FT /Btn /Ff 65536 /AP << /N 7 0 R >>")],
  ["an empty field for a signature", withField("/FT /Sig /AP << /N 7 0 R >>")],
  ...[0, 90, 180, 270].map(
    (turned) =>
      [
        `a field of a form that readers draw anew, on a page turned by ${turned}°`,
        withField(`/FT /Tx ${BACKGROUND}`, { catalog: DRAWN_ANEW, page: `/Rotate ${turned}` }),
      ] as const,
  ),
  [
    "a field on a page that counts in a larger unit",
    withField("/FT /Tx /AP << /N 7 0 R >>", { page: "/UserUnit 1.5" }),
  ],
];
