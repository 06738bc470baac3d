import QRCode from "qrcode";

/** Modules of white that scanners need around a code (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4;

/** Draws a QR code as one filled path on white; its quiet zone lies around the square. */
export function drawQrCode(
  document: PDFKit.PDFDocument,
  text: string,
  { x, y, side, ink, paper }: { x: number; y: number; side: number; ink: string; paper: string },
): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const module = side / modules.size;
  const quiet = QUIET_ZONE * module;
  document.rect(x - quiet, y - quiet, side + 2 * quiet, side + 2 * quiet).fill(paper);
  for (let row = 0; row < modules.size; row++)
    for (let column = 0; column < modules.size; column++)
      if (modules.get(row, column)) document.rect(x + column * module, y + row * module, module, module);
  document.fill(ink);
}
