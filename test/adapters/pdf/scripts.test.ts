// Texts of any script are drawn with the letters of fonts that have them, shaped as their script is written. Poppler reads the text back.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { create, type Font } from "fontkit";
import subsetFont from "subset-font";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fontsFor } from "../../../src/adapters/pdf/fonts.ts";
import { REPLACEMENT } from "../../../src/adapters/pdf/visible.ts";
import { overlayOf } from "../../../src/adapters/pdf-seal/overlay.ts";

const require = createRequire(import.meta.url);
let folder = "";
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-scripts-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** One stamp for each text, on one page for each stamp. */
const stamped = (texts: readonly string[]) =>
  overlayOf(
    texts.map((text, index) => ({
      ...{ page: index + 1, pageSize: { width: 150, height: 30 }, x: 0, y: 0, width: 1, height: 1 },
      drawn: { kind: "text", text },
    })),
  );

/** What Poppler says of the stamps of some texts. */
async function drawn(texts: readonly string[]): Promise<{ text: string; picture: string }[]> {
  const place = fs.mkdtempSync(path.join(folder, "drawn-"));
  fs.writeFileSync(path.join(place, "all.pdf"), await stamped(texts));
  const program = "pdftotext all.pdf all.txt && pdftoppm -r 100 -gray all.pdf page";
  const { stderr } = spawnSync("sh", ["-c", program], { cwd: place, encoding: "utf8" });
  expect(stderr).toBe("");
  const read = fs.readFileSync(path.join(place, "all.txt"), "utf8").split("\f");
  const pictures = fs.globSync("page-*.pgm", { cwd: place }).sort();
  return pictures.map((file, index) => ({
    text: read[index]?.trim() ?? "",
    picture: fs.readFileSync(path.join(place, file)).toString("base64"),
  }));
}

/** Words of scripts, some with letters that stand in another order than they are written, are joined or piled up. */
const WORDS: Readonly<Record<string, string>> = {
  devanagari: "हिन्दी क्षत्रिय श्री राष्ट्र विद्यार्थी अर्जुन कर्त्तव्य",
  bengali: "বাংলা শ্রীকৃষ্ণ চট্টোপাধ্যায় কৈ কৌ",
  gurmukhi: "ਪੰਜਾਬੀ ਸ੍ਰੀ",
  gujarati: "શ્રી કૃષ્ણ ક્ષત્રિય નરેન્દ્ર",
  oriya: "ଓଡ଼ିଆ ଶ୍ରୀ ଜଗନ୍ନାଥ",
  tamil: "தமிழ் ஸ்ரீ கொ கௌ",
  telugu: "తెలుగు శ్రీ క్షత్రియ",
  kannada: "ಕನ್ನಡ ಶ್ರೀ ಕ್ಷತ್ರಿಯ",
  malayalam: "മലയാളം ശ്രീ കൃഷ്ണ കൊച്ചി",
  sinhala: "සිංහල කොළඹ",
  thai: "ไทย ผู้ใหญ่ น้ำ ญี่ปุ่น",
  lao: "ລາວ ທີ່ ຜູ້",
  tibetan: "བོད་ཡིག བསྒྲུབས",
  myanmar: "မြန်မာ ကြောင့် သင်္ဘော ရွှေ လျှို့ဝှက် မြွှေ့",
  khmer: "ខ្មែរ ក្រុម ស្រី កម្ពុជា",
  ethiopic: "አማርኛ",
  "rare Chinese characters": "𠮷 𨋢 𬀩 𪚥 㐂",
  Chinese: "张伟 李明",
  Japanese: "𠮷野家 さくら",
  Korean: "홍길동",
  "letters of mathematics": "𝓜𝓪𝓻𝓲𝓪",
};
/** The same text with other code points, in the form in which texts are compared. */
const compared = (text: string) => text.normalize("NFC");

test("drawn text is copied as it was written, and no character shows as the sign for one that is lacking", async () => {
  const words = Object.values(WORDS).flatMap((each) => each.split(" "));
  const [lacking, ...found] = await drawn([REPLACEMENT, ...words]);
  expect(found.map(({ text }) => compared(text))).toEqual(words.map(compared));
  expect(new Set([lacking, ...found].map((each) => each?.picture)).size).toBe(words.length + 1);
});

test("a joiner forms letters, and shows nothing itself", async () => {
  const [joined, apart, plain] = await drawn(["क्\u200dष", "क्\u200cष", "क्ष"]);
  expect(new Set([joined, apart, plain].map((each) => each?.picture)).size).toBe(3);
  const [spaced, unspaced, form, usual] = await drawn(["ไทย\u200bไทย", "ไทยไทย", "葛\u{e0100}", "葛"]);
  expect(spaced?.picture).toBe(unspaced?.picture);
  expect(form?.picture).toBe(usual?.picture);
});

const numbers = (font: Font, text: string) => font.layout(text).glyphs.map(({ id }) => Number.parseInt(String(id), 10));

// fontkit implements the rules of these scripts independently.
test.each(["devanagari", "gujarati", "oriya", "tamil", "kannada"])(
  "%s has the glyphs that fontkit shapes",
  async (script) => {
    const words = (WORDS[script] as string).split(" ");
    const file = `@fontsource-variable/noto-sans-${script}/files/noto-sans-${script}-${script}-wght-normal.woff2`;
    const bytes = fs.readFileSync(require.resolve(file));
    for (const [face, weight] of [
      ["sans", 400],
      ["sans-bold", 600],
    ] as const) {
      const options = { targetFormat: "truetype", keepAllGlyphs: true, variationAxes: { wght: weight } } as const;
      const fontkits = create(await subsetFont(bytes, null, options)) as Font;
      const ours = (await fontsFor(words))[face].find((each) => each.postscriptName === fontkits.postscriptName);
      for (const word of words) {
        expect([word, numbers(ours as Font, word)]).toEqual([word, numbers(fontkits, word)]);
        expect(ours?.layout(word).advanceWidth).toBeCloseTo(fontkits.layout(word).advanceWidth, 0);
      }
    }
  },
);

test("texts have the fonts that they need, and no others", async () => {
  const names = async (text: string) => (await fontsFor([text])).sans.map(({ postscriptName }) => postscriptName);
  expect(await names("José da Silva, nº 12")).toEqual(["Inter-Regular"]);
  expect(await names("Łukasz")).toEqual(["Inter-Regular", "Inter-Regular"]);
  expect(await names("हिन्दी")).toEqual(["Inter-Regular", "NotoSansDevanagari-Regular"]);
  expect(await names("𠮷")).not.toContain("UnifontExMono");
  expect((await fontsFor(["Maria"])).emoji).toEqual([]);
});

test("the same text gives the same bytes, whatever was drawn before", async () => {
  const first = await stamped(["हिन्दी 𠮷"]);
  await stamped(["क्षत्रिय 野家 बि"]);
  expect((await stamped(["हिन्दी 𠮷"])).equals(first)).toBe(true);
});
