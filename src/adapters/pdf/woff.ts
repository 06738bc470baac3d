import { promisify } from "node:util";
import { inflate } from "node:zlib";

const inflated = promisify(inflate);

/**
 * The font inside a WOFF 1.0 container (W3C WOFF File Format 1.0 §3-5), as a plain sfnt. fontkit can read the container,
 * but inflates a table again for each glyph: a second for one line of Chinese.
 */
export async function unpackWoff(woff: Buffer): Promise<Buffer> {
  const tables = await Promise.all(
    Array.from({ length: woff.readUInt16BE(12) }, async (_, index) => {
      const entry = woff.subarray(44 + index * 20, 64 + index * 20);
      const [offset, packed, length] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
      const data = woff.subarray(offset, offset + packed);
      return {
        tag: entry.subarray(0, 4),
        checksum: entry.readUInt32BE(16),
        data: packed < length ? await inflated(data) : data,
      };
    }),
  );
  const header = Buffer.alloc(12 + tables.length * 16);
  woff.copy(header, 0, 4, 8); // the flavor
  header.writeUInt16BE(tables.length, 4);
  const bodies: Buffer[] = [];
  let offset = header.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const record = header.subarray(12 + index * 16);
    tag.copy(record);
    record.writeUInt32BE(checksum, 4);
    record.writeUInt32BE(offset, 8);
    record.writeUInt32BE(data.length, 12);
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
    data.copy(padded);
    bodies.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([header, ...bodies]);
}
