/** Annotations without an appearance stream. pdf.js leaves them out of its picture of a page: its viewer shows them by elements above the picture. */

/** What pdf.js says of an annotation, as far as it is read here. */
export interface Annotation {
  readonly id: string;
  readonly subtype: string;
  readonly hasAppearance: boolean;
  /** In the page's own coordinates. */
  readonly rect: readonly [number, number, number, number];
  readonly borderStyle: { readonly width: number };
  readonly color: Color;
  readonly borderColor: Color;
  readonly backgroundColor: Color;
  /** Set if it belongs to a layer. */
  readonly oc?: unknown;
  /** Only of fields of a form. */
  readonly fieldType?: "Tx" | "Btn" | "Ch" | "Sig";
  readonly fieldValue?: string | readonly string[] | null;
  /** The value of the form where this checkbox is ticked, or this radio button chosen. */
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly radioButton?: boolean;
  readonly pushButton?: boolean;
}

/** Red, green and blue. */
type Color = Uint8ClampedArray | null | undefined;

interface Place {
  readonly scale: number;
  convertToViewportPoint(x: number, y: number): unknown[];
}

/**
 * The value with which pdf.js draws a field that has no appearance: without one it draws nothing, with an empty one border and background.
 * @returns undefined where it needs none
 */
export function valueToDraw({ fieldType, fieldValue, ...field }: Annotation): unknown {
  if (fieldType === undefined || field.hasAppearance || field.pushButton) return undefined;
  if (fieldType === "Btn") return fieldValue === (field.radioButton ? field.buttonValue : field.exportValue);
  // It has each choice in a list, and draws one only as a text.
  const value = typeof fieldValue === "object" && fieldValue?.length === 1 ? fieldValue[0] : fieldValue;
  return value ?? (fieldType === "Tx" ? "" : undefined);
}

/** Draws borders of links, empty fields for signatures, and the signs of comments. */
export function drawBare(canvas: HTMLCanvasElement, place: Place, annotations: readonly Annotation[]): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.resetTransform();
  for (const each of annotations) {
    if (each.hasAppearance || each.oc != null) continue;
    context.save();
    if (each.subtype === "Link") frame(context, place, each, each.color);
    else if (each.subtype === "Text") note(context, place, each);
    else if (each.fieldType === "Sig") {
      fill(context, place, each);
      frame(context, place, each, each.borderColor);
    }
    context.restore();
  }
}

const NOTE_SIDE = 20;

/** In pixels. */
function boxOf(place: Place, [x1, y1, x2, y2]: Annotation["rect"]) {
  const [left, top] = place.convertToViewportPoint(x1, y1) as [number, number];
  const [right, bottom] = place.convertToViewportPoint(x2, y2) as [number, number];
  return {
    x: Math.min(left, right),
    y: Math.min(top, bottom),
    width: Math.abs(right - left),
    height: Math.abs(bottom - top),
  };
}

const css = (color: Uint8ClampedArray) => `#${[...color].map((part) => part.toString(16).padStart(2, "0")).join("")}`;

function fill(context: CanvasRenderingContext2D, place: Place, { rect, backgroundColor }: Annotation): void {
  if (!backgroundColor) return;
  const { x, y, width, height } = boxOf(place, rect);
  context.fillStyle = css(backgroundColor);
  context.fillRect(x, y, width, height);
}

function frame(context: CanvasRenderingContext2D, place: Place, { rect, borderStyle }: Annotation, color: Color): void {
  const line = borderStyle.width * place.scale;
  if (!color || line === 0) return;
  const { x, y, width, height } = boxOf(place, rect);
  context.strokeStyle = css(color);
  context.lineWidth = line;
  context.strokeRect(x + line / 2, y + line / 2, width - line, height - line);
}

/** A sheet with three lines, in the black that a canvas begins with. */
function note(context: CanvasRenderingContext2D, place: Place, { rect, color }: Annotation): void {
  const { x, y } = boxOf(place, rect);
  const side = NOTE_SIDE * place.scale;
  context.lineWidth = place.scale;
  if (color) {
    context.fillStyle = css(color);
    context.fillRect(x, y, side, side);
  }
  context.strokeRect(x, y, side, side);
  for (const line of [0.3, 0.5, 0.7]) context.strokeRect(x + side / 5, y + line * side, (side * 3) / 5, 0);
}
