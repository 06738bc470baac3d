import { type ReactElement, useEffect, useId, useRef, useState } from "react";
import SignaturePad from "signature_pad";
import { Icon } from "../../design/icon.tsx";
import { drawnSignature, NEAR_ENOUGH, type Paths, type Signature, simplified } from "./drawing.ts";
import { Sign } from "./signs.tsx";
import type { ReaderWords } from "./words.ts";

export interface SignatureInputProps {
  /** The participant's name, which is proposed for a typed signature. */
  readonly name: string;
  /** The member `signature` of the request that completes. Null until the participant has signed. */
  readonly value: Signature | null;
  readonly onValue: (value: Signature | null) => void;
  readonly words: ReaderWords;
  readonly error: string | null;
}

/** The most characters of a typed signature. */
const MOST_CHARACTERS = 255;

/** A signature that is drawn with a finger, a pen or a mouse, or typed. What was drawn and what was typed are both kept while one or the other is chosen. */
export function SignatureInput({ name, value, onValue, words, error }: SignatureInputProps): ReactElement {
  const id = useId();
  const [kind, setKind] = useState<Signature["kind"]>(value?.kind ?? "drawn");
  const [text, setText] = useState(value?.kind === "typed" ? value.text : name);
  const [paths, setPaths] = useState<Paths>(value?.kind === "drawn" ? value.paths : []);
  const { signature } = words;
  const typed = (content: string): Signature | null =>
    content.trim() === "" ? null : { kind: "typed", text: content };
  const choose = (chosen: Signature["kind"]) => {
    setKind(chosen);
    onValue(chosen === "typed" ? typed(text) : drawnSignature(paths));
  };
  const draw = (drawn: Paths) => {
    setPaths(drawn);
    onValue(drawnSignature(drawn));
  };
  const fault = `${id}fault`;
  return (
    <div className="signature">
      <fieldset className="segments">
        <legend className="out-of-sight">{signature.how}</legend>
        {(["drawn", "typed"] as const).map((each) => (
          <label key={each}>
            <input type="radio" name={id} checked={kind === each} onChange={() => choose(each)} />
            {each === "drawn" ? signature.draw : signature.type}
          </label>
        ))}
      </fieldset>
      {error === null ? null : (
        <p id={fault} className="field-error" role="alert">
          <Icon tone="bad" />
          <span>{error}</span>
        </p>
      )}
      {kind === "drawn" ? (
        <Area
          name={name}
          paths={paths}
          onPaths={draw}
          words={signature}
          fault={error === null ? null : fault}
          isTooShort={paths.length > 0 && drawnSignature(paths) === null}
        />
      ) : (
        <div className="field">
          <label htmlFor={`${id}name`}>{signature.nameLabel}</label>
          <input
            id={`${id}name`}
            className="text"
            dir="auto"
            autoComplete="name"
            value={text}
            maxLength={MOST_CHARACTERS}
            aria-invalid={error !== null}
            aria-describedby={error === null ? undefined : fault}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              onValue(typed(currentTarget.value));
            }}
          />
          <p className="small quiet">{signature.preview}</p>
          <p className="signature-preview">
            <bdi>{text}</bdi>
          </p>
        </div>
      )}
    </div>
  );
}

interface AreaProps {
  readonly name: string;
  readonly paths: Paths;
  readonly onPaths: (paths: Paths) => void;
  readonly words: ReaderWords["signature"];
  /** The id of the element that says what is wrong. */
  readonly fault: string | null;
  readonly isTooShort: boolean;
}

/** Half of the width of the pen, in parts of the width of the area: one width everywhere, because the PDF has one. */
const PEN = 0.0036;
/** Nearer points are not taken down, in CSS pixels. */
const APART = 1.5;

/** Where a signature is drawn. It keeps the drawing when its size changes. */
function Area({ name, paths, onPaths, words, fault, isTooShort }: AreaProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(null);
  const now = useRef({ paths, onPaths });
  now.current = { paths, onPaths };

  useEffect(() => {
    const place = canvas.current;
    if (place === null) return;
    const drawn = new SignaturePad(place, { minDistance: APART, penColor: getComputedStyle(place).color });
    pad.current = drawn;
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = place;
      if (width === 0) return;
      const sharpness = Math.min(3, Math.max(1, devicePixelRatio));
      place.width = Math.round(width * sharpness);
      place.height = Math.round(height * sharpness);
      place.getContext("2d")?.scale(sharpness, sharpness);
      show(drawn, now.current.paths, place);
    };
    drawn.addEventListener("endStroke", () => {
      const { clientWidth: width, clientHeight: height } = place;
      const line = drawn.toData().at(-1)?.points ?? [];
      const added = line.map(({ x, y }) => [within(x / width), within(y / height)] as const);
      const all = [...now.current.paths, added];
      now.current.onPaths(all);
      show(drawn, all, place);
    });
    const observer = new ResizeObserver(fit);
    observer.observe(place);
    return () => {
      observer.disconnect();
      drawn.off();
      pad.current = null;
    };
  }, []);

  const change = (left: Paths) => {
    onPaths(left);
    const place = canvas.current;
    if (pad.current !== null && place !== null) show(pad.current, left, place);
  };
  const isEmpty = paths.length === 0;
  return (
    <>
      <div className="signature-area">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${words.area} ${isEmpty ? words.empty : words.drawn}.`}
          aria-describedby={fault ?? undefined}
        />
      </div>
      {isTooShort ? (
        <p className="small quiet" role="status">
          {words.tooShort}
        </p>
      ) : null}
      <div className="signature-below">
        <bdi className="quiet">{name}</bdi>
        <button
          type="button"
          className="button plain"
          aria-disabled={isEmpty}
          onClick={() => change(paths.slice(0, -1))}
        >
          <Sign name="undo" />
          {words.undo}
        </button>
        <button type="button" className="button plain" aria-disabled={isEmpty} onClick={() => change([])}>
          <Sign name="clear" />
          {words.clear}
        </button>
      </div>
    </>
  );
}

const within = (part: number): number => Math.min(1, Math.max(0, part));

/** Draws what is sent: lines, as the PDF will have them. */
function show(pad: SignaturePad, paths: Paths, canvas: HTMLCanvasElement): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = PEN * width;
  Object.assign(pad, { minWidth: pen, maxWidth: pen, dotSize: pen });
  pad.clear();
  const context = canvas.getContext("2d");
  if (context === null) return;
  Object.assign(context, { strokeStyle: pad.penColor, lineWidth: 2 * pen, lineCap: "round", lineJoin: "round" });
  for (const path of paths) {
    const line = simplified(path, NEAR_ENOUGH);
    context.beginPath();
    // A line without length is a dot.
    for (const [x, y] of line.length === 1 ? [...line, ...line] : line) context.lineTo(x * width, y * height);
    context.stroke();
  }
}
