import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors/app-error.ts";
import { isKnown, isSame } from "../http/entity-tag.ts";
import { type AnswerPatience, cutOffStalledReader } from "../http/stalled-reader.ts";
import type { FileAnswer } from "../operation.ts";
import { attachment } from "./attachment.ts";
import { byteRange } from "./byte-range.ts";
import { SentBytes } from "./sent-bytes.ts";

/**
 * Answers with a file, or with the part that the request asks for: 200, 206, 304 (RFC 9110 §13, §14).
 * @throws AppError 416 range_not_satisfiable, with Content-Range
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, contentType, fileName, as, isForeign }: FileAnswer,
  patience: AnswerPatience,
): Promise<FastifyReply> {
  const { headers } = request;
  const etag = `"${file.etag}"`;
  reply.header("accept-ranges", "bytes");
  if (isForeign) reply.header("content-security-policy", "sandbox; default-src 'none'");
  // HEAD ignores ranges (§14.2).
  const isHead = request.method === "HEAD";
  if (isKnown(headers["if-none-match"], etag)) {
    file.notRead?.();
    return reply
      .code(304)
      .header("etag", etag)
      .send(isHead ? Readable.from([]) : undefined);
  }
  const asked =
    isHead || !isSame(headers["if-range"] as string | undefined, etag)
      ? "whole"
      : byteRange(headers.range, file.length);
  if (asked === "unsatisfiable") {
    file.notRead?.();
    reply.header("content-range", `bytes */${file.length}`);
    throw new AppError(
      416,
      "range_not_satisfiable",
      `The file has ${file.length} bytes, and none of the requested bytes.`,
    );
  }
  const range = asked === "whole" ? { start: 0, end: file.length - 1 } : asked;
  const isEmpty = isHead || file.length === 0;
  if (isEmpty) file.notRead?.();
  const body = isEmpty ? Readable.from([]) : await SentBytes.open(file, range, reply.raw);
  const own = {
    etag,
    "content-disposition": as === "attachment" ? attachment(fileName) : `inline; filename="${fileName}"`,
    "content-length": String(range.end - range.start + 1),
    ...(asked === "whole" ? {} : { "content-range": `bytes ${range.start}-${range.end}/${file.length}` }),
  };
  body.once("error", (error) => {
    // Fastify then closes the connection without a log line.
    if (reply.raw.headersSent) return request.log.error({ err: error }, "a file broke off");
    // A failure before the first byte is answered as an error, which has none of these headers.
    for (const name of Object.keys(own)) {
      reply.removeHeader(name);
      reply.raw.removeHeader(name);
    }
  });
  if (!isHead) cutOffStalledReader(reply, patience, (fault) => body.destroy(fault));
  return reply
    .code(asked === "whole" ? 200 : 206)
    .headers(own)
    .type(contentType)
    .send(body);
}
