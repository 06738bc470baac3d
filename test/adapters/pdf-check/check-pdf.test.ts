import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkPdf, PDF_LIMITS, PdfTooLarge } from "../../../src/adapters/pdf-check/check-pdf.ts";
import { children, silent } from "../programs/children.ts";
import { ONE_PAGE, pdf, pieces } from "./pdf-file.ts";

/** What this process has open, other than the folder that is read. Tests of other files may have left connections, which end. */
const descriptors = () =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
const isLinux = process.platform === "linux";
const NEEDS_PROC = "looks into /proc, which Linux has";

describe("checkPdf", () => {
  const file = pdf(ONE_PAGE);

  test("the default limits", () => {
    expect(PDF_LIMITS).toEqual({
      bytes: 52_428_800,
      pages: 2000,
      cpuSeconds: 20,
      wallSeconds: 30,
      residentBytes: 536_870_912,
    });
  });

  test("a child that is killed from outside failed; the file is not to blame", async () => {
    let give: (piece: Buffer) => void = () => {};
    async function* slow() {
      yield new Promise<Buffer>((resolve) => {
        give = resolve;
      });
    }
    const check = checkPdf(slow());
    await expect.poll(children).toHaveLength(1);
    process.kill(Number.parseInt(children()[0] ?? "", 10), "SIGKILL");
    expect(await check.deep).toMatchObject({ verdict: "failed", detail: expect.stringContaining("SIGKILL") });
    expect(await check.shallow).toBeUndefined();
    give(file);
  });

  test("input that stalls failed, too", async () => {
    const check = checkPdf(silent, { limits: { wallSeconds: 0.5 } });
    expect(await check.deep).toMatchObject({ verdict: "failed" });
  });

  test("the caller aborts: before, while the file comes, and while it is checked", async () => {
    const reason = new Error("the client went away");
    await expect(checkPdf(pieces(file), { signal: AbortSignal.abort(reason) }).deep).rejects.toBe(reason);

    const abort = new AbortController();
    const check = checkPdf(silent, { signal: abort.signal });
    await expect.poll(children).toHaveLength(1);
    abort.abort(reason);
    await expect(check.deep).rejects.toBe(reason);
    await expect(check.shallow).rejects.toBe(reason);
    expect(children()).toEqual([]);
  });

  test("a byte more than allowed", async () => {
    expect(await checkPdf(pieces(file), { limits: { bytes: file.length } }).deep).toMatchObject({ verdict: "ready" });
    const check = checkPdf(pieces(file), { limits: { bytes: file.length - 1 } });
    await expect(check.deep).rejects.toBeInstanceOf(PdfTooLarge);
  });

  test("pieces of one byte", async () => {
    expect(await checkPdf(pieces(file, 1)).deep).toEqual({ verdict: "ready", pages: [{ width: 612, height: 792 }] });
  });

  test("no process and no descriptor is left", async ({ skip }) => {
    skip(!isLinux, NEEDS_PROC);
    await checkPdf(pieces(file)).deep;
    const before = descriptors();
    for (let index = 0; index < 3; index += 1) {
      await checkPdf(pieces(file)).deep;
      await checkPdf(pieces(Buffer.from("no PDF"))).deep;
      await checkPdf(silent, { limits: { wallSeconds: 0.1 } }).deep;
    }
    expect(descriptors().filter((each) => !before.includes(each))).toEqual([]);
    expect(children()).toEqual([]);
  });
});
