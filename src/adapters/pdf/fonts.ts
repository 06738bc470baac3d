/** The fonts of a document, all of them embedded: PDF/A refers to no font of the reader's machine. */
import type { Font } from "fontkit";
import { askedOf, has, hasEmoji } from "./characters.ts";
import type { Face, Fonts } from "./faces.ts";
import { type FontFile, fontOf } from "./font-file.ts";
import { slicesWith } from "./font-slices.ts";

/** The fonts that may have the characters of a text, by their files. */
type Source = (text: string) => Iterable<FontFile> | Promise<Iterable<FontFile>>;
type Weight = 400 | 600;

const inter = (part: string, weight: Weight): FontFile => ({
  file: `@fontsource/inter/files/inter-${part}-${weight}-normal.woff`,
});
const dejavu = (name: string): FontFile => ({ file: `dejavu-fonts-ttf/ttf/${name}.ttf` });
const emoji: FontFile = { file: "@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff" };
/** It is not beautiful, but has nearly every character of the Basic Multilingual Plane, and most of the next plane. */
const unifont: FontFile = { file: "@fontsource/unifontex/files/unifontex-latin-400-normal.woff" };

const any =
  (file: FontFile): Source =>
  () => [file];
const ifIn =
  (characters: RegExp, file: FontFile): Source =>
  (text) =>
    characters.test(text) ? [file] : [];
/** A font of Noto for one script, whose letters change form and place beside each other by rules of the font. */
const script = (name: string, characters: RegExp, weight: Weight): Source => {
  const part = name.replace(/^s[a-z]+-/, "");
  const file = `@fontsource-variable/noto-${name}/files/noto-${name}-${part}-wght-normal.woff2`;
  return ifIn(characters, { file, weight, isShaped: true });
};
/** A font in many files. It has one weight in all faces: a page of Chinese needs some thirty files. */
const slices =
  (styleSheet: string, characters: RegExp, files: RegExp, weight?: Weight): Source =>
  async (text) => {
    if (!characters.test(text)) return [];
    const found = await slicesWith(text, styleSheet, files);
    return Array.from(found, (file) => (weight === undefined ? { file } : { file, weight }));
  };
const noto = (language: string, characters: RegExp) =>
  slices(`@fontsource-variable/noto-sans-${language}/index.css`, characters, /-\d+-wght-normal/, 400);

/** What Inter has characters of. */
const EUROPEAN = /[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Common}\p{scx=Inherited}]/u;
const JAPANESE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\uff00-\uffef]/u;
const CHINESE = /[\p{scx=Han}\p{scx=Bopomofo}\uff00-\uffef]/u;

/** The first font of each face: most texts need no other. */
const FIRST: Readonly<Record<Face, FontFile>> = {
  sans: inter("latin", 400),
  "sans-bold": inter("latin", 600),
  mono: dejavu("DejaVuSansMono"),
  "mono-bold": dejavu("DejaVuSansMono-Bold"),
};

const interParts = (weight: Weight) =>
  ["latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"].map((part) =>
    ifIn(EUROPEAN, inter(part, weight)),
  );

const others = (weight: Weight): readonly Source[] => [
  script("sans-devanagari", /\p{scx=Devanagari}/u, weight),
  script("sans-bengali", /\p{scx=Bengali}/u, weight),
  script("sans-gurmukhi", /\p{scx=Gurmukhi}/u, weight),
  script("sans-gujarati", /\p{scx=Gujarati}/u, weight),
  script("sans-oriya", /\p{scx=Oriya}/u, weight),
  script("sans-tamil", /\p{scx=Tamil}/u, weight),
  script("sans-telugu", /\p{scx=Telugu}/u, weight),
  script("sans-kannada", /\p{scx=Kannada}/u, weight),
  script("sans-malayalam", /\p{scx=Malayalam}/u, weight),
  script("sans-sinhala", /\p{scx=Sinhala}/u, weight),
  script("sans-thai", /\p{scx=Thai}/u, weight),
  script("sans-lao", /\p{scx=Lao}/u, weight),
  script("serif-tibetan", /\p{scx=Tibetan}/u, weight),
  script("sans-myanmar", /\p{scx=Myanmar}/u, weight),
  script("sans-khmer", /\p{scx=Khmer}/u, weight),
  script("sans-ethiopic", /\p{scx=Ethiopic}/u, weight),
  ...(weight === 600 ? [any(dejavu("DejaVuSans-Bold"))] : []),
  any(dejavu("DejaVuSans")),
  any(emoji),
  // Where Japanese and Chinese write one character in two ways, it is the Japanese one: texts do not say their language.
  noto("jp", JAPANESE),
  noto("sc", CHINESE),
  noto("hk", CHINESE),
  noto("kr", /\p{scx=Hangul}/u),
  // Nearly every Chinese character that names have. Noto leaves most of the rare ones out.
  slices("hanamin/HanaMin.css", /\p{Script=Han}/u, /CJK-(?:Unified|Compatibility)-Ideographs/),
  any(unifont),
];

/** The other fonts of each face, in the order in which they are tried. */
const MORE: Readonly<Record<Face, readonly Source[]>> = {
  sans: [...interParts(400), ...others(400)],
  "sans-bold": [...interParts(600), ...others(600)],
  mono: others(400),
  "mono-bold": others(600),
};

/** The fonts that texts need, and no others. They depend on the texts alone. */
export async function fontsFor(texts: readonly string[]): Promise<Fonts> {
  const faces = await facesFor(texts);
  return {
    sans: faces.sans.fonts,
    "sans-bold": faces["sans-bold"].fonts,
    mono: faces.mono.fonts,
    "mono-bold": faces["mono-bold"].fonts,
    emoji: texts.some(hasEmoji) ? [await fontOf(emoji)] : [],
  };
}

/** What readers see as characters of texts, and that no font of some face has. */
export async function missingFrom(texts: readonly string[]): Promise<ReadonlySet<string>> {
  const faces = await facesFor(texts);
  return new Set(Object.values(faces).flatMap(({ missing }) => missing));
}

interface Found {
  readonly fonts: readonly Font[];
  readonly missing: readonly string[];
}

async function facesFor(texts: readonly string[]): Promise<Readonly<Record<Face, Found>>> {
  const asked = new Set(texts.flatMap(askedOf));
  const [sans, bold, mono, monoBold] = await Promise.all([
    findFonts("sans", asked),
    findFonts("sans-bold", asked),
    findFonts("mono", asked),
    findFonts("mono-bold", asked),
  ]);
  return { sans, "sans-bold": bold, mono, "mono-bold": monoBold };
}

async function findFonts(face: Face, asked: ReadonlySet<string>): Promise<Found> {
  const first = await fontOf(FIRST[face]);
  const fonts = [first];
  let missing = [...asked].filter((text) => !has(first, text));
  for (const source of MORE[face]) {
    if (missing.length === 0) break;
    const found = new Map<string, Font>();
    const left: string[] = [];
    for (const text of missing) {
      let isFound = false;
      const files = source(text);
      // Waiting for what is there already takes most of the time of many texts.
      for (const file of files instanceof Promise ? await files : files) {
        const font = found.get(file.file) ?? (await fontOf(file));
        found.set(file.file, font);
        isFound ||= has(font, text);
      }
      if (!isFound) left.push(text);
    }
    fonts.push(...found.values());
    missing = left;
  }
  return { fonts, missing };
}
