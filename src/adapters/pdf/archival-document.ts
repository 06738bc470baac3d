import PDFDocument from "pdfkit";

/** What a PDF says about itself. Nothing here may need escaping: pdfkit copies it into XML as it is. */
export interface ArchivalDocument {
  readonly language: "pt-BR" | "en";
  readonly title: string;
  /** The instant that stands in the file. */
  readonly date: Date;
  /** The attachment. */
  readonly evidence: Uint8Array;
  /** What the attachment has. */
  readonly attachment: string;
  /** The attachment's name, its type, and what it is to the pages (PDF/A-3, annex E); evidence.json unless given. */
  readonly file?: { readonly name: string; readonly type: string; readonly relationship: "Data" | "Source" };
}

const EVIDENCE = { name: "evidence.json", type: "application/json", relationship: "Data" } as const;

/** Makes a PDF/A-3b with an attachment, which `draw` draws on its first page and on pages that it adds. */
export async function archivalDocument(
  { language, title, date, evidence, attachment, file = EVIDENCE }: ArchivalDocument,
  draw: (document: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: language,
    displayTitle: true,
    pdfVersion: "1.7",
    subset: "PDF/A-3b",
    tagged: true,
    // No font yet: Helvetica, the default, could not be embedded.
    font: null as unknown as string,
    info: { Title: title, Author: "Selo", Creator: "Selo", Producer: "Selo", CreationDate: date, ModDate: date },
  });
  const bytes = collect(document);
  document.file(Buffer.from(evidence), {
    name: file.name,
    type: file.type,
    description: attachment,
    creationDate: date,
    modifiedDate: date,
    // PDF/A-3 asks what an attachment is to the pages: `Data`, they show what is in it; `Source`, they were made from it. (pdfkit's types do
    // not know it.)
    relationship: file.relationship,
  } as PDFKit.Mixins.PDFAttachmentOptions);
  draw(document);
  document.end();
  return bytes;
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
}
