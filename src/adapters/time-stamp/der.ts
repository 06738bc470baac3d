import { type BaseBlock, fromBER } from "asn1js";

/** asn1js takes no view of a larger buffer. */
export const bytesOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/**
 * Reads one value, and nothing behind it.
 * @throws Error for anything else
 */
export function readDer(bytes: Uint8Array): BaseBlock {
  const { result, offset } = fromBER(bytesOf(bytes));
  if (offset !== bytes.length) throw new Error(result.error || "it is not one ASN.1 value");
  return result;
}

/** The parts of a SEQUENCE, a SET or a tagged value; none of anything else. */
export function partsOf(block: BaseBlock | undefined): readonly BaseBlock[] {
  const { value } = (block?.valueBlock ?? {}) as { readonly value?: unknown };
  return Array.isArray(value) ? (value as BaseBlock[]) : [];
}

/** The bytes of a value as they were read: what is encoded anew may differ from what somebody signed. */
export const asRead = (block: BaseBlock): Buffer => Buffer.from(block.valueBeforeDecodeView);

/** A value with this tag (one byte) and this content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  if (bytes.length < 0x80) return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  const significant = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | significant.length]), significant, bytes]);
}
