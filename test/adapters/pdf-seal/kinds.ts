// PDFs of all kinds that are sealed.
import { ONE_PAGE, onePage, pdf, stream } from "../pdf-check/pdf-file.ts";
import { run } from "./seal-stage.ts";

export const qpdf = (file: Buffer, ...options: string[]) =>
  run({ "in.pdf": file }, "qpdf", ...options, "in.pdf", "-").stdout;
export const withText = pdf(
  onePage({
    page: "/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >>",
    objects: {
      4: stream("", "BT /F 24 Tf 72 700 Td (Hello) Tj ET"),
      5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    },
  }),
);
const form = pdf(
  onePage({
    catalog: "/AcroForm << /Fields [4 0 R] /DA (/Helv 0 Tf 0 g) >>",
    page: "/Annots [4 0 R]",
    objects: {
      4: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Maria) /Rect [10 10 200 30] /P 3 0 R >>",
    },
  }),
);

export function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => 3 + index);
  return pdf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] /Count ${count} >>`,
    ...Object.fromEntries(kids.map((kid) => [kid, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"])),
  });
}

export const kinds: readonly (readonly [name: string, pdf: Buffer])[] = [
  ["with text", withText],
  ["with an ID", qpdf(withText, "--deterministic-id")],
  ["linearized", qpdf(withText, "--linearize", "--deterministic-id")],
  ["with object streams", qpdf(withText, "--object-streams=generate", "--deterministic-id")],
  ["rotated", qpdf(withText, "--rotate=90", "--deterministic-id")],
  ["with a form", form],
  ["PDF 2.0", pdf(ONE_PAGE, { header: "%PDF-2.0\n" })],
  ["of 100 pages", manyPages(100)],
];
