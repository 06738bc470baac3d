import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
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
  vary(reply, "Accept-Encoding");
  if (request.headers["accept-encoding"] === undefined) return text;
  const negotiator: PreferringNegotiator = new Negotiator(request);
  const [coding = "identity"] = negotiator.encodings(CODINGS, { preferred: CODINGS });
  const encode = ENCODERS[coding];
  if (encode === undefined) return text;
  return encode(text).then((bytes) => {
    void reply.header("content-encoding", coding);
    return bytes;
  });
}
