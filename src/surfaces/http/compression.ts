import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { tagInCoding } from "./entity-tag.ts";
import { vary } from "./vary.ts";

/** Shorter answers are not compressed: they fit into one packet. */
const LEAST_BYTES = 1024;

/** Brotli's default quality, 11, takes a second for a list. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Compressors by the name of their coding (RFC 9110 §8.4.1), in the order in which we prefer them. */
const ENCODERS: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  zstd: promisify<string, Buffer>(zstdCompress),
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: promisify<string, Buffer>(gzip),
};
/** The same for answers that come in pieces. */
const STREAM_ENCODERS: Readonly<Record<string, () => Transform>> = {
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(),
};
const CODINGS = [...Object.keys(ENCODERS), "identity"];

/** The interface since version 1.0, which the package's types do not declare yet. */
interface PreferringNegotiator {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}

/**
 * The text of an answer in the form in which it is sent: compressed if the request accepts one of our codings (Accept-Encoding, RFC 9110 §12.5.3).
 * Answers of writes are never compressed. They may contain a secret, and the length of a compressed answer reveals something about its content.
 */
export function encoded(request: FastifyRequest, reply: FastifyReply, text: string): string | Promise<Buffer> {
  if (text.length < LEAST_BYTES && Buffer.byteLength(text) < LEAST_BYTES) return text;
  const coding = codingFor(request, reply);
  const encode = ENCODERS[coding];
  if (encode === undefined) return text;
  return encode(text).then((bytes) => {
    setCoding(reply, coding);
    return bytes;
  });
}

/** A compressor for an answer that comes in pieces, if the request accepts one of our codings. Null otherwise. */
export function encoderFor(request: FastifyRequest, reply: FastifyReply): Transform | null {
  const coding = codingFor(request, reply);
  const encoder = STREAM_ENCODERS[coding]?.() ?? null;
  if (encoder !== null) setCoding(reply, coding);
  return encoder;
}

function codingFor(request: FastifyRequest, reply: FastifyReply): string {
  vary(reply, "Accept-Encoding");
  if (request.headers["accept-encoding"] === undefined) return "identity";
  const negotiator: PreferringNegotiator = new Negotiator(request);
  const [coding = "identity"] = negotiator.encodings(CODINGS, { preferred: CODINGS });
  return coding;
}

function setCoding(reply: FastifyReply, coding: string): void {
  void reply.header("content-encoding", coding);
  const etag = reply.getHeader("etag");
  if (typeof etag === "string") void reply.header("etag", tagInCoding(etag, coding));
}
