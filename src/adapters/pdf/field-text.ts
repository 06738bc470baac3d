import PDFDocument from "pdfkit";
import { light } from "../generated/design-tokens.ts";
import { fontsFor } from "./fonts.ts";
import { type Laid, type Setting, TextSetter } from "./text-setter.ts";

/** In points. Nobody could read smaller letters than the readable ones. */
const TEXT = { size: 11, readable: 6, leading: 1.2, inset: 2 } as const;

/** A text in a field of a document; lengths in points. */
export interface FieldText {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/** The room of a field for its text, from the left and the top of the field. */
interface Room {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly leading: number;
}

function roomIn({ width, height }: Pick<FieldText, "width" | "height">): Room {
  const x = Math.min(TEXT.inset, width / 10, height / 10);
  // A low field gives its borders, and then the space between lines, to one line that can be read.
  const y = Math.max(0, Math.min(x, (height - TEXT.readable * TEXT.leading) / 2));
  const inner = height - 2 * y;
  const leading = Math.max(1, Math.min(TEXT.leading, inner / TEXT.readable));
  return { x, y, width: width - 2 * x, height: inner, leading };
}

/** Lays a text in its field: as large as fits, from the size of a form. What does not fit in one line goes on in the next. */
export function layInField(
  setter: TextSetter,
  { text, ...field }: FieldText,
  setting: Pick<Setting, "color" | "mostLines"> & { readonly size?: number; readonly smallest: number },
): { readonly laid: Laid; readonly x: number; readonly y: number } {
  const { x, y, width, height, leading } = roomIn(field);
  const laid = setter.lay([{ text, face: "sans" }], {
    ...setting,
    width,
    mostHeight: height,
    leading,
    size: Math.max(Math.min(setting.size ?? TEXT.size, height / leading), setting.smallest),
  });
  return { laid, x, y: y + Math.max(0, (height - laid.height) / 2) };
}

/**
 * How many characters of a text can be read in its field; null where all can.
 * The number counts code points, as Postgres does, and belongs to these characters: others are wider or narrower.
 */
export async function readableCharacters(texts: readonly FieldText[]): Promise<(number | null)[]> {
  const fonts = await fontsFor(texts.map(({ text }) => text));
  const setter = new TextSetter(new PDFDocument({ autoFirstPage: false, font: null as unknown as string }), fonts);
  return texts.map(({ text, ...field }) => {
    const { width, height, leading } = roomIn(field);
    const setting = { width, leading, size: TEXT.readable, color: light["paper-ink"] };
    // Sums of fractions: a field of one line has room for one.
    const mostLines = Math.floor(height / (TEXT.readable * leading) + 1e-6);
    const { count, isWhole } = setter.charactersIn([{ text, face: "sans" }], setting, mostLines);
    return isWhole ? null : count;
  });
}
