import PDFDocument from "pdfkit";
import { light } from "../generated/design-tokens.ts";
import { drawPaths } from "../pdf/draw-paths.ts";
import { layInField } from "../pdf/field-text.ts";
import { fontsFor } from "../pdf/fonts.ts";
import { TextSetter } from "../pdf/text-setter.ts";
import type { Box } from "./plan.ts";
import { boxOf, type Caption, type Drawn, pagesOf, type Stamp } from "./stamp.ts";

/** In points. */
const TEXT = { smallest: 1, inset: 2 } as const;
const SIGNATURE_SIZE = 28;
/** What stands below a signature, and the part of the box's height that it may take. */
const CAPTION = { size: 7, smallest: 4, least: 3, leading: 1.15, part: 0.45 } as const;

/**
 * A PDF with a page for each page that is drawn on, with what is drawn there and nothing else. The same input gives the same bytes.
 * @param stamps of one document, at least one
 */
export async function overlayOf(stamps: readonly Stamp[]): Promise<Buffer> {
  const texts = stamps.flatMap(({ drawn }) => {
    if (drawn.kind === "mark") return [];
    const { name, time, codeAndAddress } = drawn.caption ?? { name: "", time: "", codeAndAddress: "" };
    return [name, time, codeAndAddress, ...(drawn.kind === "text" ? [drawn.text] : [])];
  });
  const setterFonts = await fontsFor(texts);
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    font: null as unknown as string,
    // Another time would make other bytes.
    info: { CreationDate: new Date(0) },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve());
    document.on("error", reject);
  });
  const setter = new TextSetter(document, setterFonts);
  for (const number of pagesOf(stamps)) {
    const drawn = stamps.filter(({ page }) => page === number);
    const size = drawn[0]?.pageSize ?? { width: 0, height: 0 };
    document.addPage({ size: [size.width, size.height], margin: 0 });
    for (const stamp of drawn) {
      const box = boxOf(stamp);
      document.save();
      // Nothing reaches into its neighbours.
      document.rect(box.x, box.y, box.width, box.height).clip();
      draw(document, setter, box, stamp.drawn);
      document.restore();
    }
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function draw(document: PDFKit.PDFDocument, setter: TextSetter, whole: Box, drawn: Drawn): void {
  if (drawn.kind === "mark") {
    drawMark(document, whole);
    return;
  }
  const box = drawn.caption === undefined ? whole : drawCaption(setter, whole, drawn.caption);
  if (drawn.kind === "text") drawText(setter, box, drawn);
  else drawPaths(document, box, drawn, light["paper-ink"]);
}

/**
 * Draws name, time and code at the bottom of a signature's box; a box that is too low keeps name and code, in one line if need be.
 * @returns what is left of the box for the signature
 */
function drawCaption(setter: TextSetter, box: Box, { name, time, code, codeAndAddress }: Caption): Box {
  const inset = Math.min(TEXT.inset, box.width / 10, box.height / 10);
  const width = box.width - 2 * inset;
  const most = box.height * CAPTION.part;
  const sizeOf = (lines: number) => Math.min(CAPTION.size, most / lines / CAPTION.leading);
  const setting = (size: number, smallest: number) => ({
    width,
    size,
    smallest,
    leading: CAPTION.leading,
    color: light["paper-ink"],
    mostLines: 1,
  });
  const fits = (text: string, size: number) =>
    setter.lay([{ text, face: "sans" }], setting(size, Math.min(size, CAPTION.smallest))).lines === 1;
  const three = sizeOf(3);
  const lines =
    three >= CAPTION.smallest
      ? [name, time, fits(codeAndAddress, three) ? codeAndAddress : code]
      : sizeOf(2) >= CAPTION.smallest
        ? [name, code]
        : [`${name}, ${code}`];
  const oneLine = (text: string, line: number) => {
    const lay = (shown: string) =>
      setter.lay(
        [{ text: shown, face: line === 0 ? "sans-bold" : "sans", isOurs: true }],
        setting(sizeOf(lines.length), TEXT.smallest),
      );
    let [characters, made] = [[...text], lay(text)];
    while (made.lines > 1 && characters.length > 1) {
      characters = characters.slice(0, Math.floor(characters.length * 0.8));
      made = lay(`${characters.join("")}…`);
    }
    return made;
  };
  const laid = lines.map(oneLine);
  const height = laid.reduce((sum, each) => sum + each.height, 0);
  // Nobody could read it, and no room would be left for the signature.
  if (sizeOf(lines.length) < CAPTION.least || height > box.height / 2) return box;
  let y = box.y + box.height - inset - height;
  for (const each of laid) {
    each.draw(box.x + inset, y);
    y += each.height;
  }
  return { ...box, height: box.height - inset - height };
}

function drawText(setter: TextSetter, box: Box, { text, isSignature }: Extract<Drawn, { kind: "text" }>): void {
  const { laid, x, y } = layInField(
    setter,
    { ...box, text },
    {
      color: light["paper-ink"],
      smallest: TEXT.smallest,
      ...(isSignature ? { size: SIGNATURE_SIZE, mostLines: 1 } : {}),
    },
  );
  laid.draw(box.x + x, box.y + y);
}

function drawMark(document: PDFKit.PDFDocument, box: Box): void {
  const side = Math.min(box.width, box.height);
  const [left, top] = [box.x + (box.width - side) / 2, box.y + (box.height - side) / 2];
  const at = (x: number, y: number): [number, number] => [left + x * side, top + y * side];
  document
    .lineWidth(side / 9)
    .lineCap("round")
    .lineJoin("round")
    .strokeColor(light["paper-ink"]);
  document.moveTo(...at(0.2, 0.55));
  document.lineTo(...at(0.42, 0.76));
  document.lineTo(...at(0.82, 0.26));
  document.stroke();
}
