// A receipt is one clean page, whatever stands in organization, label and file name.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { receiptTexts } from "../../../src/adapters/pdf/receipt-texts.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { printedPayload, type ReadReceipt, readReceipt } from "../../support/receipt-reader.ts";
import { ENVIRONMENTS, expectOnePage, LONGEST, payloadOf, receiptOf } from "./receipt-text-stage.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

/** What stands in the row of the label, its lines joined. */
function labelOf({ text }: ReadReceipt): string {
  const [, label = ""] = /^Description(.*?)^Date and time/ms.exec(text) ?? [];
  return label
    .split("\n")
    .map((line) => line.trim())
    .join("");
}

// Both environments of each text are in receipt-texts.full.test.ts.
test.each(LONGEST.map((row, place) => [...row, ENVIRONMENTS[place % 2] ?? "live"] as const))(
  "255, 200 and 255 of %s fit on one page, with everything else in its place",
  (_, character, environment) => expectOnePage(selo, character, environment),
);

test("every printable ASCII character is printed, in the payload as it was signed", async () => {
  const ascii = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join("");
  const receipt = readReceipt(
    await receiptOf(selo, { name: `Org${ascii}`, label: `Label${ascii}`, file_name: `x${ascii}` }),
  );
  expect(printedPayload(receipt)).toBe(payloadOf(receipt));
  // (pdftotext takes the space between narrow characters for none.)
  expect(labelOf(receipt).replaceAll(" ", "")).toBe(`Label${ascii.trim()}`);
});

test("the payload's lines, joined, are the signed text wherever spaces fall", async () => {
  for (let shift = 0; shift < 4; shift++) {
    const words = `${"x".repeat(shift)}${"ab, ".repeat(49)}`.trim();
    const receipt = readReceipt(await receiptOf(selo, { name: `${words} Ltda`, label: words, file_name: words }));
    expect(printedPayload(receipt)).toBe(payloadOf(receipt));
  }
});

test("characters of Windows-1252 and beyond are printed as they are", async () => {
  for (const label of [
    ["€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", "ŁĄŐ Ωж ế fi ffi", "漢字カナ한글", "ไทย हिन्दी"].join(" "),
    Array.from({ length: 95 }, (_, place) => String.fromCharCode(0xa1 + place))
      .filter((character) => character !== "\u00ad")
      .join(""),
  ])
    expect(labelOf(readReceipt(await receiptOf(selo, { label }))).replaceAll(" ", "")).toBe(label.replaceAll(" ", ""));
});

test("what would turn or hide text, or move the pen, is printed as U+FFFD", async () => {
  const hidden = [
    "\u202e",
    "\u2066",
    "\u200d",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\u0007",
    "\n",
    "\u0085",
    "\ue000",
    "\uffff",
  ];
  const label = hidden.map((character) => `safe${character}exe.pdf`).join("");
  expect(labelOf(readReceipt(await receiptOf(selo, { label })))).toBe("safe\ufffdexe.pdf".repeat(hidden.length));
});

test("a missing label says so, an empty one says nothing", async () => {
  expect(labelOf(readReceipt(await receiptOf(selo, { label: null })))).toBe("(none)");
  expect(readReceipt(await receiptOf(selo, { label: "" })).text).toMatch(/^Description$/m);
});

describe("the date as people write it", () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  test.each([
    ["2026-11-20T09:34:56.123456", "20 November 2026, 09:34:56", "20 de novembro de 2026, 09:34:56"],
    ["2026-03-01T00:00:00.000000", "1 March 2026, 00:00:00", "1º de março de 2026, 00:00:00"],
    ["2027-12-31T23:59:59.999999", "31 December 2027, 23:59:59", "31 de dezembro de 2027, 23:59:59"],
    // An hour that Berlin and New York skip.
    ["2026-03-29T02:30:00.000000", "29 March 2026, 02:30:00", "29 de março de 2026, 02:30:00"],
    ["2026-03-08T02:30:00.000000", "8 March 2026, 02:30:00", "8 de março de 2026, 02:30:00"],
  ])("%s, wherever this machine is", (local, english, portuguese) => {
    for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", "America/New_York"]) {
      process.env.TZ = zone;
      expect([receiptTexts.en.date(local), receiptTexts["pt-BR"].date(local)]).toEqual([english, portuguese]);
    }
  });

  test("stands on the receipt, in the organization's language", async () => {
    const date = ({ text }: ReadReceipt) => text.match(/^(?:Date and time|Data e hora) +(.*)$/m)?.[1];
    expect(date(readReceipt(await receiptOf(selo, {})))).toMatch(/^\d+ [A-Z][a-z]+ 20\d\d, \d\d:\d\d:\d\d\.\d{6} UTC$/);
    const portuguese = /^\d+º? de [a-zç]+ de 20\d\d, \d\d:\d\d:\d\d\.\d{6} UTC$/;
    expect(date(readReceipt(await receiptOf(selo, {}, "test")))).toMatch(portuguese);
  });
});
