import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "../../design/icon.tsx";
import type { Pdf } from "./pdf.ts";
import { styled } from "./styled.ts";

interface PdfPageProps {
  /** How the reader knows the page. */
  readonly name: string;
  readonly label: string;
  /** From 1. */
  readonly number: number;
  /** Null until the document is open. */
  readonly pdf: Pdf | null;
  readonly isNear: boolean;
  /** Of the page on the screen, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly sharpness: number;
  readonly loading: string;
  readonly unreadable: string;
  readonly watch: (page: HTMLElement) => () => void;
  /** The document does not answer any more. */
  readonly onFault: (error: unknown) => void;
  /** What lies on the page. */
  readonly children: ReactNode;
}

/** Pages that are flown over are not begun. */
const STAY_MS = 60;

/** A page of a PDF: a picture while it is near what is seen, with its text above, and else an empty sheet of the same size. */
export function PdfPage(props: PdfPageProps): ReactElement {
  const { name, label, number, pdf, isNear, width, height, sharpness, watch, onFault } = props;
  const sheet = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"empty" | "drawn" | "unreadable">("empty");

  useEffect(() => (sheet.current === null ? undefined : watch(sheet.current)), [watch]);

  useEffect(() => {
    const place = picture.current;
    if (!isNear || pdf === null || place === null) return;
    const abort = new AbortController();
    const draw = async () => {
      const canvas = await pdf.draw(number, Math.round(width * sharpness), abort.signal);
      if (canvas === null) return;
      if (abort.signal.aborted) return free(canvas);
      // The picture of another size stays until the new one is there.
      clear(place);
      place.append(canvas);
      setState("drawn");
    };
    const timer = setTimeout(() => {
      draw().catch((error: unknown) => {
        if (abort.signal.aborted) return;
        if (error instanceof Error && error.name === "Unreachable") onFault(error);
        else setState("unreadable");
      });
    }, STAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isNear, pdf, number, width, sharpness, onFault]);

  useEffect(() => {
    const layer = text.current;
    if (!isNear || pdf === null || layer === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      // A picture without text can be read by most; its fault is told by the picture.
      pdf.layText(number, layer, abort.signal).catch(() => {});
    }, STAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
      layer.replaceChildren();
    };
  }, [isNear, pdf, number]);

  // The text follows the width by a property, without being laid again.
  useEffect(() => {
    const layer = text.current;
    if (!isNear || pdf === null || layer === null) return;
    pdf.scaleOf(number, width).then(
      (scale) => layer.style.setProperty("--total-scale-factor", String(scale)),
      () => {},
    );
  }, [isNear, pdf, number, width]);

  // Far pages hold no picture.
  useEffect(() => {
    const place = picture.current;
    if (isNear || place === null) return;
    clear(place);
    setState("empty");
  }, [isNear]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a page is no set of fields
    <div
      ref={(element) => {
        sheet.current = element;
        styled({ width: `${width}px`, height: `${height}px` })(element);
      }}
      className="sheet"
      data-page={name}
      data-state={state}
      role="group"
      aria-label={label}
    >
      <div ref={picture} className="picture" aria-hidden="true" />
      <div ref={text} className="pdf-text" />
      {state === "empty" && isNear ? <p className="sheet-loading">{props.loading}</p> : null}
      {state === "unreadable" ? (
        <p className="sheet-fault">
          <Icon tone="bad" />
          <span>{props.unreadable}</span>
        </p>
      ) : null}
      {props.children}
    </div>
  );
}

function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

function clear(place: HTMLElement): void {
  for (const canvas of place.querySelectorAll("canvas")) free(canvas);
  place.replaceChildren();
}
