import { createHash, randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PayloadTooLargeError, sha256OfStream } from "../../../src/adapters/crypto/sha256-stream.ts";

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

describe("SHA-256 of a stream", () => {
  test("the empty stream", async () => {
    const result = await sha256OfStream(Readable.from([]), 0);
    expect(result.bytes).toBe(0);
    expect(result.sha256.toString("hex")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  test("is that of the bytes, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), async (chunks) => {
        const all = Buffer.concat(chunks);
        const result = await sha256OfStream(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), all.length);
        expect(result).toEqual({ sha256: digest(all), bytes: all.length });
      }),
    );
  });

  test("exactly the limit passes, one byte more does not", async () => {
    const bytes = randomBytes(1_000);
    expect((await sha256OfStream(Readable.from([bytes]), 1_000)).sha256).toEqual(digest(bytes));
    const source = Readable.from([bytes.subarray(0, 600), bytes.subarray(600)]);
    const error = await sha256OfStream(source, 999).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PayloadTooLargeError);
    expect(error).toMatchObject({ maxBytes: 999, message: "the payload exceeds 999 bytes" });
    expect(source.destroyed).toBe(true);
  });

  test("whoever keeps the bytes is given those that are digested, and none beyond the limit", async () => {
    const [first, second] = [randomBytes(600), randomBytes(400)];
    const kept: Uint8Array[] = [];
    await sha256OfStream(Readable.from([first, second]), 1_000, (chunk) => kept.push(chunk));
    expect(kept).toEqual([first, second]);
    kept.length = 0;
    const tooLong = sha256OfStream(Readable.from([first, second]), 999, (chunk) => kept.push(chunk));
    await expect(tooLong).rejects.toBeInstanceOf(PayloadTooLargeError);
    expect(kept).toEqual([first]);
  });

  test("an endless stream is left at the limit, not read to it and beyond", async () => {
    let sent = 0;
    const source = new Readable({
      highWaterMark: 16_384,
      read() {
        sent += 16_384;
        this.push(Buffer.alloc(16_384));
      },
    });
    await expect(sha256OfStream(source, 1_000_000)).rejects.toBeInstanceOf(PayloadTooLargeError);
    expect(source.destroyed).toBe(true);
    expect(sent).toBeLessThan(1_200_000);
  });

  test("the stream's own error comes through", async () => {
    const source = new PassThrough();
    const result = sha256OfStream(source, 100);
    source.write("abc");
    source.destroy(new Error("connection reset"));
    await expect(result).rejects.toThrow("connection reset");
  });

  test("a stream that closes before its end is not a shorter file", async () => {
    const source = new PassThrough();
    const result = sha256OfStream(source, 100);
    source.write("abc");
    source.destroy();
    await expect(result).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
  });

  test("decoded text and objects are refused, and the stream is destroyed", async () => {
    const text = new PassThrough({ encoding: "utf8" });
    text.end("ação");
    await expect(sha256OfStream(text, 100)).rejects.toThrow(TypeError);
    expect(text.destroyed).toBe(true);
    await expect(sha256OfStream(Readable.from([{ a: 1 }]), 100)).rejects.toThrow(TypeError);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("a limit of %s is refused", async (limit) => {
    const source = Readable.from([Buffer.from("x")]);
    await expect(sha256OfStream(source, limit)).rejects.toThrow(RangeError);
    expect(source.destroyed).toBe(true);
  });
});
