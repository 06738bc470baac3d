import type { ReactElement } from "react";
import { badgeSide } from "./badge-side.ts";
import { fieldName } from "./field-name.ts";
import { type Field, isAsked, keyOf, numberShown, type Values } from "./fields.ts";
import { fillIn } from "./fill-in.ts";
import { styled } from "./styled.ts";
import type { ReaderWords } from "./words.ts";

interface FieldMarkProps {
  readonly field: Field;
  /** From 1, among the fields that the participant fills; null for others. */
  readonly number: number | null;
  /** All fields of the page, which the number does not cover. */
  readonly beside: readonly Field[];
  readonly values: Values;
  readonly knownCpf: string | null;
  readonly isCurrent: boolean;
  /** Of the page on the screen, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly words: ReaderWords;
  readonly onField: (fieldId: string) => void;
}

/** The smallest target that a finger or a mouse must meet (WCAG 2.2, 2.5.8). */
const SMALLEST = 24;
/** Of a text in a box, in CSS pixels: it is made to fit as long as it can be read. */
const LARGEST_TEXT = 16;
const SMALLEST_TEXT = 8;

/** A field on its page. A field that the participant fills is a button, at least {@link SMALLEST} wide and high around its middle. */
export function FieldMark(props: FieldMarkProps): ReactElement {
  const { field, number, beside, values, knownCpf, isCurrent, width, height, words, onField } = props;
  const box = { width: field.width * width, height: field.height * height };
  const target = { width: Math.max(box.width, SMALLEST), height: Math.max(box.height, SMALLEST) };
  const middle = { x: (field.x + field.width / 2) * width, y: (field.y + field.height / 2) * height };
  const place = {
    left: `${middle.x - target.width / 2}px`,
    top: `${middle.y - target.height / 2}px`,
    width: `${target.width}px`,
    height: `${target.height}px`,
  };
  const value = shownOf(field, values[keyOf(field)], words);
  const text = isAsked(field, knownCpf) ? (typeof value === "string" ? value : "") : byServer(field, words);
  const outline = {
    width: `${box.width}px`,
    height: `${box.height}px`,
    fontSize: `${Math.min(box.height * 0.6, LARGEST_TEXT, Math.max(SMALLEST_TEXT, box.width / (0.6 * text.length + 1)))}px`,
  };
  if (!isAsked(field, knownCpf))
    return (
      <span className="mark by-server" ref={styled(place)} data-field={field.id}>
        <span className="box" ref={styled(outline)} title={text}>
          <span className="in-box">{text}</span>
        </span>
      </span>
    );
  const isFilled = value !== undefined && value !== "";
  return (
    <button
      type="button"
      className={`mark${isCurrent ? " current" : ""}${isFilled ? " filled" : ""}`}
      ref={styled(place)}
      data-field={field.id}
      aria-current={isCurrent ? "step" : undefined}
      aria-label={labelOf(field, number, value, words)}
      onClick={() => onField(field.id)}
    >
      <span className="box" ref={styled(outline)} aria-hidden="true">
        {value === true ? (
          <svg viewBox="0 0 20 20" className="tick" aria-hidden="true">
            <path d="m4 10.5 4 4 8-9" fill="none" stroke="currentColor" strokeWidth="2.5" />
          </svg>
        ) : (
          <bdi className="in-box">{text}</bdi>
        )}
        {isFilled || number === null ? null : (
          <span className={`number ${badgeSide(field, number, beside, { width, height })}`}>{number}</span>
        )}
      </span>
    </button>
  );
}

function byServer({ type }: Field, words: ReaderWords): string {
  const { byServer: all } = words.marks;
  return type === "nome" ||
    type === "data" ||
    type === "cpf" ||
    type === "assinatura" ||
    type === "rubrica" ||
    type === "calculado"
    ? all[type]
    : all.other;
}

/** What a person gave, as that person reads it. */
const shownOf = ({ type }: Field, value: Values[string] | undefined, { decimal }: ReaderWords) =>
  type === "numero" && typeof value === "string" ? numberShown(value, decimal) : value;

function labelOf(field: Field, number: number | null, value: string | boolean | undefined, words: ReaderWords): string {
  const { asked, filled, ticked } = words.marks;
  const text = value === true ? ticked : typeof value === "string" && value !== "" ? filled : asked;
  return fillIn(text, { number: number ?? "", type: fieldName(field, words), value: String(value ?? "") });
}
