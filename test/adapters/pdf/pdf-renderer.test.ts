import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { PdfRenderer } from "../../../src/adapters/pdf/pdf-renderer.ts";
import { receiptContent } from "./contents.ts";

const renderer = new PdfRenderer();
afterAll(() => renderer.close());

const content = receiptContent();

test("what cannot be rendered fails alone", async () => {
  const [broken, whole] = await Promise.allSettled([
    renderer.render({ ...content, verifyUrl: "x".repeat(10_000) }), // no QR code holds so much
    renderer.render(content),
  ]);
  expect([broken?.status, whole?.status]).toEqual(["rejected", "fulfilled"]);
});

test("a renderer that was closed starts again", async () => {
  await renderer.close();
  expect((await renderer.render(content)).length).toBeGreaterThan(1_000);
});

test("renders as well in a process that was given an option of V8's", async () => {
  const program = `import("./src/adapters/pdf/pdf-renderer.ts").then(async ({ PdfRenderer }) => {
    const renderer = new PdfRenderer();
    const content = JSON.parse(process.argv[1], (key, value) => (key === "evidence" ? Buffer.from(value) : value));
    console.log((await renderer.render(content)).subarray(0, 5).toString());
    await renderer.close();
  })`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--max-old-space-size=512", "--eval", program],
    JSON.stringify({ ...content, evidence: "{}" }),
  ]);
  expect(stdout).toBe("%PDF-\n");
});
