import { asRead, der, partsOf, readDer } from "../time-stamp/der.ts";

/** id-aa-timeStampToken (RFC 3161, appendix A), DER. */
const TIME_STAMP_TOKEN = Buffer.from("060b2a864886f70d010910020e", "hex");
/** Most bytes that the attribute adds besides the token: heads, and longer lengths of all that is around it. */
const MOST_AROUND = 64;
const SEQUENCE = 0x30;
const SET = 0x31;

/** What time stamps a signature. */
export interface SignatureStamp {
  /** A token over these bytes, DER; null where there is none. */
  readonly stamp: (signature: Buffer) => Promise<Buffer | null>;
  /** The longest token. */
  readonly mostBytes: number;
}

/** Room for the attribute, in bytes. */
export const roomFor = ({ mostBytes }: SignatureStamp): number => mostBytes + MOST_AROUND;

/**
 * A signature with a time stamp of its value: an unsigned attribute of the only signer, which makes a signature of baseline B-B one of B-T.
 * Every other byte stays.
 * @param cms as `signDigest` makes it
 */
export async function stamped(cms: Buffer, { stamp }: SignatureStamp): Promise<Buffer> {
  const [type, content] = partsOf(readDer(cms));
  const signedData = partsOf(partsOf(content)[0]);
  const signer = partsOf(partsOf(signedData.at(-1))[0]);
  const signature = signer.at(-1)?.valueBlock as { readonly valueHexView?: Uint8Array } | undefined;
  if (type === undefined || signature?.valueHexView === undefined)
    throw new Error("signDigest did not make this signature");
  const token = await stamp(Buffer.from(signature.valueHexView));
  if (token === null) return cms;
  const attribute = der(SEQUENCE, TIME_STAMP_TOKEN, der(SET, token));
  const stampedSigner = der(SEQUENCE, ...signer.map(asRead), der(0xa1, attribute));
  const stampedData = der(SEQUENCE, ...signedData.slice(0, -1).map(asRead), der(SET, stampedSigner));
  return der(SEQUENCE, asRead(type), der(0xa0, stampedData));
}
