import { pipeline, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors/app-error.ts";
import { encoderFor } from "../http/compression.ts";
import { type AnswerPatience, cutOffStalledReader } from "../http/stalled-reader.ts";
import type { ListInPieces } from "../operation.ts";
import { SentBytes } from "./sent-bytes.ts";

/**
 * Answers with a list as its pieces come. One piece is on its way and one waits for it, however slow the reader is. If a piece fails, the connection is
 * closed: neither the answer (RFC 9112 §8) nor its JSON then looks whole.
 */
export function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, headers }: ListInPieces,
  patience: AnswerPatience,
): FastifyReply {
  void reply.code(200).headers(headers).type("application/json; charset=utf-8");
  const encoder = encoderFor(request, reply);
  if (request.method === "HEAD") {
    encoder?.destroy();
    return reply.send(Readable.from([]));
  }
  // Bytes that a compressor has yet to read wait where nobody sees them.
  const body = SentBytes.all(Readable.from(joined(pieces)), reply.raw, encoder === null);
  body.once("error", (error) => {
    // Fastify then closes the connection without a log line.
    if (error instanceof AppError && error.status < 500) request.log.info({ err: error }, "a list broke off");
    else request.log.error({ err: error }, "a list broke off");
    if (reply.raw.headersSent) return;
    // A failure before the first byte is answered as an error, which has none of these headers.
    for (const name of ["content-encoding", ...Object.keys(headers)]) {
      reply.removeHeader(name);
      reply.raw.removeHeader(name);
    }
  });
  cutOffStalledReader(reply, patience, (fault) => body.destroy(fault));
  return reply.send(encoder === null ? body : pipeline(body, encoder, () => {}));
}

/** One array of all pieces. */
async function* joined(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let begin = "[";
  for await (const piece of pieces) {
    yield Buffer.from(`${begin}${piece.slice(1, -1)}`);
    begin = ",";
  }
  yield Buffer.from(begin === "[" ? "[]" : "]");
}
