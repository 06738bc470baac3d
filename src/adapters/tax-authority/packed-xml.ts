/** XML as it travels inside JSON: UTF-8, gzip, base64. */
import { gunzipSync, gzipSync } from "node:zlib";

/** Most bytes of a document after inflating. */
export const MOST_XML_BYTES = 10 * 1024 * 1024;

/** Why a packed document cannot be read. */
export class PackedXmlError extends Error {
  override readonly name = "PackedXmlError";
  readonly reason: "base64" | "gzip" | "too_large" | "utf8";

  constructor(reason: PackedXmlError["reason"]) {
    super(`packed XML: ${reason}`);
    this.reason = reason;
  }
}

export function packXml(xml: string): string {
  return gzipSync(xml).toString("base64");
}

/**
 * Unpacks a document of at most 10 MiB.
 * @throws PackedXmlError
 */
export function unpackXml(packed: string): string {
  const text = packed.replace(/\s+/g, "");
  if (text === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new PackedXmlError("base64");
  let bytes: Buffer;
  try {
    bytes = gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: MOST_XML_BYTES });
  } catch (error) {
    throw new PackedXmlError((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "gzip");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new PackedXmlError("utf8");
  }
}
