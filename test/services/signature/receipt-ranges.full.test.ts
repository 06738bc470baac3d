// GET /proofs/{id}/receipt with every combination of the headers that ask for parts and set conditions (RFC 9110 §13, §14).
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  belonging,
  expectHead,
  expectKnown,
  expectWhole,
  knowing,
  openReceiptStage,
  RANGES,
  type ReceiptStage,
} from "./receipt-range-stage.ts";

let stage: ReceiptStage;
beforeAll(async () => {
  stage = await openReceiptStage();
});
afterAll(() => stage?.selo.stop());

test.each(RANGES)("Range: %s", async (range, expectAnswer) => {
  const ask = (ifRange: string | null, ifNoneMatch: string | null) =>
    stage.ask({ range, "if-range": ifRange, "if-none-match": ifNoneMatch });
  for (const ifRange of belonging.same(stage))
    for (const ifNoneMatch of knowing.unknown) expectAnswer(stage, await ask(ifRange, ifNoneMatch));
  // The parts that the caller has belong to another file, as far as can be known: he gets all of this one.
  for (const ifRange of belonging.other(stage))
    for (const ifNoneMatch of knowing.unknown) expectWhole(stage, await ask(ifRange, ifNoneMatch));
  // Who has the file already gets none of it, whatever part he asks for (§13.2.2).
  for (const ifRange of [...belonging.same(stage), ...belonging.other(stage)])
    for (const ifNoneMatch of knowing.known(stage)) expectKnown(stage, await ask(ifRange, ifNoneMatch));
});

test.each(RANGES.map(([range]) => range))("HEAD, Range: %s: the headers of GET without a range", async (range) => {
  for (const ifRange of [null, stage.etag, '"other"']) await expectHead(stage, { range, "if-range": ifRange });
});

test("a hundred readers at once each get their part", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, number) => {
      const { status, bytes } = await stage.ask({ range: `bytes=${number * 50}-`, "if-range": null });
      return status === 206 && bytes.equals(stage.whole.subarray(number * 50));
    }),
  );
  expect(answers).toEqual(Array(100).fill(true));
});
