// Which texts can be read in a field: none is set below 6 points. Poppler says how large the letters are that were drawn.
import { expect, test } from "vitest";
import { readableCharacters } from "../../../src/adapters/pdf/field-text.ts";
import { overlayOf } from "../../../src/adapters/pdf-seal/overlay.ts";
import { byLane } from "../../support/lane.ts";
import { run } from "../pdf-seal/seal-stage.ts";

const PAGE = { width: 600, height: 800 };

/** The sizes of the letters of a text in a field, in thirds of points. */
async function drawnSizes(text: string, width: number, height: number): Promise<number[]> {
  const place = { page: 1, pageSize: PAGE, x: 0.1, y: 0.1, width: width / PAGE.width, height: height / PAGE.height };
  const pdf = await overlayOf([{ ...place, drawn: { kind: "text", text } }]);
  const { said } = run({ "a.pdf": pdf }, "pdftohtml", "-xml", "-stdout", "-zoom", "3", "a.pdf");
  return [...said.matchAll(/<fontspec [^>]*size="(\d+)"/g)].map(([, size]) => Number(size) / 3);
}

test.each([
  ["words in a large field", "Rua das Flores, 12, apto. 3 ".repeat(40), 120, 84],
  ["one long word", "W".repeat(500), 100, 40],
  ["a field of one low line", "Av. Paulista, 1000 ".repeat(10), 120, 6],
  ["Arabic", "شارع الملك فهد ".repeat(40), 120, 30],
  ["emoji", "😀".repeat(300), 60, 30],
])(
  "%s: what is said to fit is drawn at 6 points or more, and one character more would not be",
  async (_, text, width, height) => {
    const [most] = await readableCharacters([{ text, width, height }]);
    const characters = [...text];
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThan(characters.length);
    const fitting = characters.slice(0, most ?? 0).join("");
    expect(await readableCharacters([{ text: fitting, width, height }])).toEqual([null]);
    expect(Math.min(...(await drawnSizes(fitting, width, height)))).toBeGreaterThanOrEqual(6);
    // Spaces at the end of a line need no room.
    const more = `${fitting}${"W".repeat(6)}`;
    const [again] = await readableCharacters([{ text: more, width, height }]);
    expect(again).not.toBeNull();
    expect(Math.min(...(await drawnSizes(more, width, height)))).toBeLessThan(6);
  },
);

test("a field in which no character fits takes none", async () => {
  expect(await readableCharacters([{ text: "WW", width: 6, height: 6 }])).toEqual([0]);
});

test("many texts in Chinese, which asks a hundred fonts, are judged in one pass", async () => {
  const ideographs = (first: number) =>
    Array.from({ length: 1_000 }, (_, place) =>
      String.fromCodePoint(0x4e00 + ((first * 1_000 + place * 7) % 20_000)),
    ).join("");
  // One request may have some 300: 6 s of CPU, where searching in each text took minutes. More of them in field-text.full.test.ts.
  const texts = Array.from({ length: byLane({ lane: 8, full: 80 }) }, (_, first) => ({
    text: ideographs(first),
    width: 300,
    height: 60,
  }));
  // 7 lines of 49 letters, each as wide as high.
  expect(new Set(await readableCharacters(texts))).toEqual(new Set([343]));
});

test("a text that fits stands as large as a form has it", async () => {
  expect(await readableCharacters([{ text: "Curitiba", width: 120, height: 20 }])).toEqual([null]);
  expect(await drawnSizes("Curitiba", 120, 20)).toEqual([11]);
});
