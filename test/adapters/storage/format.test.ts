// The format as other programs see it: @noble, python3, and vectors that python3 made. A change here is a new version of the format.
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { gcm } from "@noble/ciphers/aes.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, test } from "vitest";
import { CHUNK_BYTES, ChunkCipher, type ObjectKey } from "../../../src/adapters/storage/chunk-cipher.ts";
import { emptyStore, fileOf, KEY, numbered, read, write } from "./stage.ts";

interface Vector {
  readonly contentBytes: number;
  readonly dataKey: string;
  readonly use: string;
  readonly id: string;
  readonly salt: string;
  readonly storedBytes: number;
  readonly storedSha256: string;
}
const vectors: Vector[] = JSON.parse(fs.readFileSync(new URL("vectors.json", import.meta.url), "utf8"));
const lengths = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES];

/** How @noble encrypts and decrypts the chunk of a header. */
function nobleCipher(key: ObjectKey, header: Uint8Array, index: number, isLast: boolean) {
  const info = new TextEncoder().encode(`selo object 1 ${key.use} ${key.id}`);
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, index);
  nonce[11] = Number(isLast);
  return gcm(hkdf(sha256, key.dataKey, header.subarray(8), info, 32), nonce, header);
}

function readByNoble(key: ObjectKey, stored: Uint8Array): Buffer {
  const header = stored.subarray(0, 40);
  const chunks = Math.max(1, Math.ceil((stored.length - 40) / 65_552));
  return Buffer.concat(
    Array.from({ length: chunks }, (_, index) =>
      nobleCipher(key, header, index, index === chunks - 1).decrypt(
        stored.subarray(40 + index * 65_552, 40 + (index + 1) * 65_552),
      ),
    ),
  );
}

function writtenByNoble(key: ObjectKey, content: Uint8Array): Buffer {
  const header = Buffer.concat([Buffer.from("seloobj\x01", "latin1"), randomBytes(32)]);
  const chunks = Math.max(1, Math.ceil(content.length / 65_536));
  return Buffer.concat([
    header,
    ...Array.from({ length: chunks }, (_, index) =>
      nobleCipher(key, header, index, index === chunks - 1).encrypt(
        content.subarray(index * 65_536, (index + 1) * 65_536),
      ),
    ),
  ]);
}

describe.each(vectors)("vector of $contentBytes bytes", ({ dataKey, salt, storedBytes, storedSha256, ...vector }) => {
  const key = { dataKey: Buffer.from(dataKey, "hex"), use: vector.use, id: vector.id };
  const content = numbered(vector.contentBytes);
  const header = Buffer.concat([Buffer.from("seloobj\x01", "latin1"), Buffer.from(salt, "hex")]);
  const cipher = new ChunkCipher(key, header);
  const chunks = Math.max(1, Math.ceil(content.length / CHUNK_BYTES));
  const stored = Buffer.concat([
    header,
    ...Array.from({ length: chunks }, (_, index) =>
      cipher.seal(index, {
        bytes: content.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
        isLast: index === chunks - 1,
      }),
    ).flat(),
  ]);

  test("is written as python3 wrote it", () => {
    expect(stored).toHaveLength(storedBytes);
    expect(createHash("sha256").update(stored).digest("hex")).toBe(storedSha256);
  });

  test("is read", async () => {
    const { store, root } = await emptyStore();
    fs.writeFileSync(fileOf(root, key.id), stored);
    expect((await read(store, key)).equals(content)).toBe(true);
  });
});

describe.each(lengths)("%d bytes", (length) => {
  const content = randomBytes(length);

  test("written here, read by @noble", async () => {
    const { store, root } = await emptyStore();
    await write(store, content);
    expect(readByNoble(KEY, fs.readFileSync(fileOf(root))).equals(content)).toBe(true);
  });

  test("written by @noble, read here", async () => {
    const { store, root } = await emptyStore();
    fs.writeFileSync(fileOf(root), writtenByNoble(KEY, content));
    expect((await read(store)).equals(content)).toBe(true);
  });

  test("written here, read by python3, which sees a flipped byte", async ({ skip }) => {
    if (spawnSync("python3", ["-c", "import cryptography"]).status !== 0)
      skip("python3 has no package `cryptography` here");
    const { store, root } = await emptyStore();
    await write(store, content);
    const readByPython = () =>
      spawnSync(
        "python3",
        [
          new URL("read_object.py", import.meta.url).pathname,
          fileOf(root),
          Buffer.from(KEY.dataKey).toString("hex"),
          KEY.use,
          KEY.id,
        ],
        { maxBuffer: 1_000_000 },
      );
    const { status, stdout } = readByPython();
    expect(status).toBe(0);
    expect(stdout.equals(content)).toBe(true);
    const stored = fs.readFileSync(fileOf(root));
    stored[20] = (stored[20] ?? 0) ^ 1;
    fs.writeFileSync(fileOf(root), stored);
    expect(readByPython().stderr.toString()).toContain("chunk 0 is not authentic");
  });
});
