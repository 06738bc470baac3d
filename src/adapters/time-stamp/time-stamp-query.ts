import { createHash } from "node:crypto";
import { Integer, OctetString } from "asn1js";
import { AlgorithmIdentifier, id_sha256, MessageImprint, TimeStampReq } from "pkijs";
import { bytesOf } from "./der.ts";

/** What a time stamp is asked for. */
export interface TimeStampQuery {
  /** What is stamped. The authority sees its SHA-256 alone. */
  readonly data: Uint8Array;
  /** A positive number, big endian: the answer must have the same. */
  readonly nonce: Uint8Array;
}

/** TimeStampReq (RFC 3161 §2.4.1) with SHA-256 and a nonce, which asks for the certificate of the authority. DER. */
export function timeStampRequest({ data, nonce }: TimeStampQuery): Buffer {
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: id_sha256 }),
      hashedMessage: new OctetString({ valueHex: bytesOf(createHash("sha256").update(data).digest()) }),
    }),
    nonce: new Integer({ valueHex: bytesOf(nonce) }),
    certReq: true,
  });
  return Buffer.from(request.toSchema().toBER());
}
