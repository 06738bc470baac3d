// PDFs with form fields and other annotations that have no appearance, and what they show where.
import { onePage, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";

/** Members of each annotation, by what it is. */
const KINDS: Readonly<Record<string, string>> = {
  "a text": "/Subtype /Widget /FT /Tx /T (a) /V (R$ 90000) /DA (/F 12 Tf 0 g)",
  "a text whose value stands above it": "/Subtype /Widget /Parent 20 0 R /DA (/F 12 Tf 0 g)",
  "a text of several lines": "/Subtype /Widget /FT /Tx /Ff 4096 /T (c) /V (one\\ntwo) /DA (/F 8 Tf 0 g)",
  "a text with the font of the form": "/Subtype /Widget /FT /Tx /T (d) /V (R$ 5)",
  "a text of the size that fits": "/Subtype /Widget /FT /Tx /T (e) /V (R$ 5) /DA (/F 0 Tf 0 g)",
  "a choice of a list":
    "/Subtype /Widget /FT /Ch /Ff 131072 /T (f) /V (net 30) /Opt [(net 30) (net 60)] /DA (/F 12 Tf 0 g)",
  "a list": "/Subtype /Widget /FT /Ch /T (g) /V (net 60) /Opt [(net 30) (net 60)] /DA (/F 8 Tf 0 g)",
  "a text in combs": "/Subtype /Widget /FT /Tx /Ff 16777216 /MaxLen 5 /T (h) /V (12345) /DA (/F 12 Tf 0 g)",
  "a text with a border": "/Subtype /Widget /FT /Tx /T (i) /MK << /BC [1 0 0] >> /V (R$ 5) /DA (/F 12 Tf 0 g)",
  "a checkbox that is ticked":
    "/Subtype /Widget /FT /Btn /T (j) /V /Yes /AS /Yes /MK << /CA (4) >> /DA (/ZaDb 0 Tf 0 g)",
  "a note": "/Subtype /FreeText /Contents (Penalty of R$ 5000) /DA (/F 12 Tf 1 0 0 rg)",
  "an empty text": "/Subtype /Widget /FT /Tx /T (k) /DA (/F 12 Tf 0 g)",
  "an empty text with a background": "/Subtype /Widget /FT /Tx /T (l) /MK << /BG [1 0 0] >> /DA (/F 12 Tf 0 g)",
  "a field for a signature": "/Subtype /Widget /FT /Sig /T (m) /MK << /BG [1 0 0] >>",
  "a link with a border": "/Subtype /Link /Border [0 0 8] /C [1 0 0] /A << /S /URI /URI (https://selo.example) >>",
  "a comment": "/Subtype /Text /Contents (Delete this) /C [1 0 0]",
  "a radio button that is chosen":
    "/Subtype /Widget /FT /Btn /Ff 32768 /T (n) /V /One /AS /One /MK << /CA (l) >> /DA (/ZaDb 0 Tf 0 g)",
  "a push button with words": "/Subtype /Widget /FT /Btn /Ff 65536 /T (o) /MK << /CA (Press) >> /DA (/F 12 Tf 0 g)",
  "a password": "/Subtype /Widget /FT /Tx /Ff 8192 /T (p) /V (secret) /DA (/F 12 Tf 0 g)",
  "a stamp that has only a name": "/Subtype /Stamp /Name /Approved",
};
/** What pdf.js says too little of to draw it: states, words and names that only the annotation has. A password is no text to show. */
export const LEFT_OUT = [
  "a radio button that is chosen",
  "a push button with words",
  "a password",
  "a stamp that has only a name",
];
const names = Object.keys(KINDS);
const top = (place: number) => 750 - 34 * place;

/** Where each of them lies: its page is 612 points wide and 792 high. */
export const places = names.map((name, place) => ({ name, x: 200, y: 792 - top(place) - 30, width: 240, height: 30 }));

export const formWithoutAppearances: Buffer = pdf(
  onePage({
    catalog: `/AcroForm << /Fields [20 0 R ${names.map((_, place) => `${30 + place} 0 R`).join(" ")}] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>`,
    page: `/Annots [${names.map((_, place) => `${30 + place} 0 R`).join(" ")}]`,
    objects: {
      5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      20: "<< /FT /Tx /T (b) /V (R$ 70000) /Kids [31 0 R] >>",
      ...Object.fromEntries(
        Object.values(KINDS).map((members, place) => [
          30 + place,
          `<< /Type /Annot ${members} /Rect [200 ${top(place)} 440 ${top(place) + 30}] /P 3 0 R /F 4 >>`,
        ]),
      ),
    },
  }),
);

const SHORT = stream(
  "/Type /XObject /Subtype /Form /BBox [0 0 400 30] /Resources << /Font << /F 5 0 R >> >>",
  "/Tx BMC q BT /F 12 Tf 0 g 2 9 Td (R$ 1) Tj ET Q EMC",
);

/** A form that readers draw anew: the appearance of its field is not that of its value. */
export const formDrawnAnew: Buffer = pdf(
  onePage({
    catalog: "/AcroForm << /NeedAppearances true /Fields [4 0 R] /DA (/F 12 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >>",
    page: "/Annots [4 0 R]",
    objects: {
      4: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (R$ 900000 and a share of the company for each day of delay) /DA (/F 12 Tf 0 g) /Rect [100 680 500 710] /F 4 /P 3 0 R /AP << /N 6 0 R >> >>",
      5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      6: SHORT,
    },
  }),
);
