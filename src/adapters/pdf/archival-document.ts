import PDFDocument from "pdfkit";

/** What a PDF says about itself. Nothing here may need escaping: pdfkit copies it into XML as it is. */
export interface ArchivalDocument {
  readonly language: "pt-BR" | "en";
  readonly title: string;
  /** The instant that stands in the file. */
  readonly date: Date;
  /** The attachment. */
  readonly evidence: Uint8Array;
  /** What evidence.json has. */
  readonly attachment: string;
}

/** Makes a PDF/A-3b with evidence.json attached, which `draw` draws on its first page and on pages that it adds. */
export async function archivalDocument(
  { language, title, date, evidence, attachment }: ArchivalDocument,
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
    name: "evidence.json",
    type: "application/json",
    description: attachment,
    creationDate: date,
    modifiedDate: date,
    // PDF/A-3 asks what an attachment is to the pages: they show what is in it. (pdfkit's types do not know it.)
    relationship: "Data",
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
