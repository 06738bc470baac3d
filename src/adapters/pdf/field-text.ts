import PDFDocument from "pdfkit";
import { light } from "../generated/design-tokens.ts";
import { graphemesOf } from "./characters.ts";
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

/** A text as it stands in its field. */
export interface LaidInField {
  readonly laid: Laid;
  /** From the left and the top of the field. */
  readonly x: number;
  readonly y: number;
  readonly fits: boolean;
}

/** Lays a text in its field: as large as fits, from the size of a form. What does not fit in one line goes on in the next. */
export function layInField(
  setter: TextSetter,
  { text, width, height }: FieldText,
  setting: Pick<Setting, "color" | "smallest" | "mostLines"> & { readonly size?: number },
): LaidInField {
  const x = Math.min(TEXT.inset, width / 10, height / 10);
  // A low field gives its borders, and then the space between lines, to one line that can be read.
  const y = Math.max(0, Math.min(x, (height - TEXT.readable * TEXT.leading) / 2));
  const room = { width: width - 2 * x, height: height - 2 * y };
  const leading = Math.max(1, Math.min(TEXT.leading, room.height / TEXT.readable));
  const { smallest = TEXT.readable } = setting;
  const laid = setter.lay([{ text, face: "sans" }], {
    ...setting,
    smallest,
    width: room.width,
    mostHeight: room.height,
    leading,
    size: Math.max(Math.min(setting.size ?? TEXT.size, room.height / leading), smallest),
  });
  return {
    laid,
    x,
    y: y + Math.max(0, (room.height - laid.height) / 2),
    fits: laid.height <= room.height && laid.fullWidth <= room.width,
  };
}

/**
 * How many characters of a text can be read in its field; null where all can.
 * The number counts code points, as Postgres does, and belongs to these characters: others are wider or narrower.
 */
export async function readableCharacters(texts: readonly FieldText[]): Promise<(number | null)[]> {
  const fonts = await fontsFor(texts.map(({ text }) => text));
  const setter = new TextSetter(new PDFDocument({ autoFirstPage: false, font: null as unknown as string }), fonts);
  return texts.map((given) => {
    const fits = (text: string) =>
      layInField(setter, { ...given, text }, { color: light["paper-ink"], size: TEXT.readable }).fits;
    if (fits(given.text)) return null;
    const graphemes = graphemesOf(given.text);
    let [most, tooMany] = [0, graphemes.length];
    while (tooMany - most > 1) {
      const middle = Math.floor((most + tooMany) / 2);
      if (fits(graphemes.slice(0, middle).join(""))) most = middle;
      else tooMany = middle;
    }
    return [...graphemes.slice(0, most).join("")].length;
  });
}
