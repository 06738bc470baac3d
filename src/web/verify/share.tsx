import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import type { VerifyWords } from "./words.ts";

/** Loads what draws QR codes. */
export const loadQrCode = () => import("../design/qr-code.tsx");
const QrCode = lazy(loadQrCode);

interface ShareProps {
  readonly words: VerifyWords["share"];
  readonly code: string;
  readonly address: string;
  /** Draws the code; by default it is loaded when it is needed. */
  readonly Picture?: ComponentType<{ readonly text: string }>;
}

/** The code, for a camera and for paper. A phone that shows the page has no use for it, but its print has. */
export function Share({ words, code, address, Picture = QrCode }: ShareProps): ReactElement {
  return (
    <section className="card share" aria-labelledby="share">
      <h2 id="share">{words.heading}</h2>
      <p className="code">{code}</p>
      <p className="small quiet">{words.text}</p>
      <Suspense fallback={<div className="qr" />}>
        <Picture text={address} />
      </Suspense>
      <p className="small break on-paper">{address}</p>
    </section>
  );
}
