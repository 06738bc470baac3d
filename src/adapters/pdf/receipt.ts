import PDFDocument from "pdfkit";
import QRCode from "qrcode";
import { fontsFor } from "./fonts.ts";
import { receiptTexts } from "./receipt-texts.ts";
import { TextSetter } from "./text-setter.ts";

/** The content of a receipt. */
export interface ReceiptContent {
  readonly language: "pt-BR" | "en";
  readonly isTest: boolean;
  readonly organization: string;
  readonly label: string | null;
  readonly sha256: string;
  /** UTC, with microseconds: 2026-11-20T12:34:56.123456Z. */
  readonly registeredAt: string;
  /** The same instant as a clock in `timeZone` shows it, without an offset. */
  readonly localTime: string;
  /** Offset of that zone at that instant, such as -03:00. */
  readonly utcOffset: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly verificationCode: string;
  readonly verifyUrl: string;
  readonly keyIds: readonly string[];
  /** The signed text. */
  readonly payload: string;
  /** The attachment evidence.json. */
  readonly evidence: Uint8Array;
}

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 48 } as const;
const RIGHT = PAGE.width - PAGE.margin;
const COLUMN = { x: PAGE.margin + 122, qr: 118 } as const;
const INK = { text: "#16181d", quiet: "#5b6270", line: "#d5d9e0", accent: "#0b5c4a", test: "#b3261e" } as const;

/** Renders a receipt: one page, with evidence.json attached. The same content gives the same bytes. */
export async function renderReceipt(content: ReceiptContent): Promise<Buffer> {
  const texts = receiptTexts[content.language];
  const embedded = await fontsFor([content.organization, content.label ?? "", content.payload]);
  const date = new Date(content.registeredAt);
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: content.language,
    displayTitle: true,
    pdfVersion: "1.7",
    info: {
      Title: `${texts.title} ${content.verificationCode}${content.isTest ? ` (${texts.test})` : ""}`,
      Author: "Selo",
      Creator: "Selo",
      Producer: "Selo",
      CreationDate: date,
      ModDate: date,
    },
  });
  const bytes = collect(document);
  document.file(Buffer.from(content.evidence), {
    name: "evidence.json",
    type: "application/json",
    description: texts.attachment,
    creationDate: date,
    modifiedDate: date,
  });
  draw(document, new TextSetter(document, embedded), content);
  document.end();
  return bytes;
}

function draw(document: PDFKit.PDFDocument, setter: TextSetter, content: ReceiptContent): void {
  const texts = receiptTexts[content.language];
  if (content.isTest) watermark(document, texts.test);

  let y: number = PAGE.margin;
  document.rect(0, 0, PAGE.width, 6).fill(content.isTest ? INK.test : INK.accent);
  const left = { x: PAGE.margin, width: RIGHT - PAGE.margin - COLUMN.qr - 16 };
  y = setter.set(texts.title, { ...left, y, size: 22, face: "Helvetica-Bold", color: INK.text });
  y = setter.set(texts.subtitle, { ...left, y: y + 4, size: 10.5, face: "Helvetica", color: INK.quiet });
  if (content.isTest)
    y = setter.set(texts.testNotice, { ...left, y: y + 4, size: 10.5, face: "Helvetica-Bold", color: INK.test });
  qrCode(document, content.verifyUrl, RIGHT - COLUMN.qr, PAGE.margin, COLUMN.qr);

  const row = (name: string, values: readonly string[], face = "Helvetica", width = RIGHT - COLUMN.x, most = 4) => {
    const top = y;
    setter.set(name, { x: PAGE.margin, y: top + 0.5, width: 112, size: 9, face: "Helvetica", color: INK.quiet });
    for (const value of values)
      y = setter.set(value, { x: COLUMN.x, y, width, size: 10, face, color: INK.text, mostLines: most });
    y = Math.max(y, top + 12) + 7;
  };
  y = Math.max(y + 12, PAGE.margin + 66);
  const besideQr = left.x + left.width - COLUMN.x;
  row(texts.code, [content.verificationCode], "Courier-Bold", besideQr);
  row("", [content.verifyUrl], "Helvetica", besideQr);
  y = Math.max(y, PAGE.margin + COLUMN.qr + 14);
  rule(document, y);
  y += 12;
  row(texts.organization, [content.organization]);
  row(texts.label, [content.label ?? `(${texts.noLabel})`]);
  row(texts.registeredAt, [
    texts.date(content.localTime),
    ...(content.timeZone === "UTC"
      ? []
      : [`${readable(content.localTime)}  (${content.timeZone}, UTC${content.utcOffset})`]),
    `${readable(content.registeredAt)}  UTC`,
  ]);
  row(texts.digest, [content.sha256], "Courier", undefined, 1);
  row(texts.keys, content.keyIds, "Courier");
  rule(document, y);
  y += 12;

  y = setter.set(texts.howToVerify, { ...full(y), size: 10, face: "Helvetica-Bold", color: INK.text }) + 3;
  for (const line of [...texts.instructions, texts.scope])
    y = setter.set(line, { ...full(y), size: 8.5, face: "Helvetica", color: INK.text }) + 3;
  y += 7;
  y = setter.set(texts.payload, { ...full(y), size: 10, face: "Helvetica-Bold", color: INK.text }) + 4;
  // Even the longest names and labels must fit on one page.
  const height = PAGE.height - PAGE.margin - y;
  setter.setWithin(content.payload, height, {
    ...full(y),
    size: 7.5,
    face: "Courier",
    color: INK.text,
    breakAnywhere: true,
  });
}

const full = (y: number) => ({ x: PAGE.margin, y, width: RIGHT - PAGE.margin });

/** 2026-11-20 12:34:56.123456: no reader mistakes it for another day. */
const readable = (instant: string) => instant.replace(/Z$/, "").replace("T", " ");

function rule(document: PDFKit.PDFDocument, y: number): void {
  document.moveTo(PAGE.margin, y).lineTo(RIGHT, y).lineWidth(0.7).stroke(INK.line);
}

function watermark(document: PDFKit.PDFDocument, word: string): void {
  document.save();
  document.rotate(-52, { origin: [PAGE.width / 2, PAGE.height / 2] });
  document.font("Helvetica-Bold").fontSize(190).fillColor(INK.test).fillOpacity(0.1);
  document.text(word, -100, PAGE.height / 2 - 95, { width: PAGE.width + 200, align: "center", lineBreak: false });
  document.restore();
}

/** One filled path, with the quiet zone of four modules that scanners need (ISO/IEC 18004 §6.3.8). */
function qrCode(document: PDFKit.PDFDocument, text: string, x: number, y: number, size: number): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const module = size / (modules.size + 8);
  for (let row = 0; row < modules.size; row++)
    for (let column = 0; column < modules.size; column++)
      if (modules.get(row, column)) document.rect(x + (column + 4) * module, y + (row + 4) * module, module, module);
  document.fill("#000000");
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
}
