/** The fonts of a receipt, all of them embedded: PDF/A refers to no font of the reader's machine. */
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { sharedFont } from "./shared-font.ts";
import { visible } from "./visible.ts";
import { unpackWoff } from "./woff.ts";

/** A kind of letter; {@link Fonts} has fonts for each. */
export type Face = "sans" | "sans-bold" | "mono" | "mono-bold";

/** The fonts of each face, and of emoji, in the order in which they are tried. */
export type Fonts = Readonly<Record<Face | "emoji", readonly Font[]>>;

const require = createRequire(import.meta.url);
let first: Promise<Fonts> | null = null;
let all: Promise<Fonts> | null = null;

/** The fonts that texts need. Only texts in rare characters need more than the first font of each face; fonts stay in memory once read. */
export async function fontsFor(texts: readonly string[]): Promise<Fonts> {
  first ??= firstFonts();
  const fonts = await first;
  const few = [fonts.sans, fonts.mono].flat();
  const isEnough = texts.every((text) =>
    few.every((font) =>
      [...visible(text)].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)),
    ),
  );
  if (isEnough) return fonts;
  all ??= allFonts(fonts);
  return all;
}

async function firstFonts(): Promise<Fonts> {
  const [sans, bold, mono, monoBold] = await Promise.all([
    inter("latin", 400),
    inter("latin", 600),
    dejavu("DejaVuSansMono"),
    dejavu("DejaVuSansMono-Bold"),
  ]);
  return { sans: [sans], "sans-bold": [bold], mono: [mono], "mono-bold": [monoBold], emoji: [] };
}

async function allFonts(known: Fonts): Promise<Fonts> {
  const more = (weight: 400 | 600) =>
    Promise.all(
      ["latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"].map((part) => inter(part, weight)),
    );
  const [regular, bold, wide, wideBold, noto, unifont] = await Promise.all([
    more(400),
    more(600),
    dejavu("DejaVuSans"),
    dejavu("DejaVuSans-Bold"),
    fontOf("@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff"),
    fontOf("@fontsource/unifont/files/unifont-latin-400-normal.woff"),
  ]);
  // Unifont is not beautiful, but it has every character of the Basic Multilingual Plane.
  return {
    sans: [...known.sans, ...regular, wide, noto, unifont],
    "sans-bold": [...known["sans-bold"], ...bold, wideBold, wide, noto, unifont],
    mono: [...known.mono, wide, noto, unifont],
    "mono-bold": [...known["mono-bold"], wideBold, wide, noto, unifont],
    emoji: [noto],
  };
}

const inter = (part: string, weight: 400 | 600) =>
  fontOf(`@fontsource/inter/files/inter-${part}-${weight}-normal.woff`);
const dejavu = (name: string) => fontOf(`dejavu-fonts-ttf/ttf/${name}.ttf`);

async function fontOf(file: string): Promise<Font> {
  const bytes = await fs.readFile(require.resolve(file));
  const font = create(file.endsWith(".woff") ? await unpackWoff(bytes) : bytes);
  if (!("layout" in font)) throw new Error(`${file} is no single font`);
  return sharedFont(font);
}
