import { create } from "qrcode/lib/core/qrcode.js";
import type { ReactElement } from "react";

/** Modules of white that readers need around the code (ISO/IEC 18004). */
const QUIET = 4;

/** A QR code of a text. It is dark on white in every theme, because many readers know nothing else. */
export default function QrCode({
  text,
  label = `QR Code: ${text}`,
}: {
  readonly text: string;
  /** In place of a text that is not to be read out. */
  readonly label?: string;
}): ReactElement {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  const path = Array.from({ length: size * size }, (_, place) =>
    data[place] ? `M${place % size} ${Math.floor(place / size)}h1v1h-1z` : "",
  ).join("");
  const whole = size + 2 * QUIET;
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <path className="paper" d={`M${-QUIET} ${-QUIET}h${whole}v${whole}h${-whole}z`} />
      <path className="ink" d={path} />
    </svg>
  );
}
