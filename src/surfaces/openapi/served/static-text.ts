import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { isKnown } from "../../http/entity-tag.ts";
import { vary } from "../../http/vary.ts";

/** Nothing is inline, and everything comes from this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Compressors by the name of their coding, in the order in which we prefer them. */
const ENCODERS: Readonly<Record<string, (text: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};
const CODINGS = [...Object.keys(ENCODERS), "identity"];

/** The interface since version 1.0, which the package's types do not declare yet. */
interface PreferringNegotiator {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[];
}

/** A text kept ready to send: plain, and in each coding that was asked for so far. */
export interface StaticText {
  readonly contentType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly encoded: Map<string, Promise<Buffer>>;
}

export function staticText(contentType: string, text: string): StaticText {
  const plain = Buffer.from(text, "utf8");
  const etag = createHash("sha256").update(plain).digest("base64url");
  return { contentType, etag, plain, encoded: new Map() };
}

/** Sends the text in the coding that the request prefers; browsers may keep it but must ask again each time, and get 304. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, etag, plain, encoded }: StaticText,
): Promise<FastifyReply> {
  const negotiator: PreferringNegotiator = new Negotiator(request);
  const [coding = "identity"] =
    request.headers["accept-encoding"] === undefined ? [] : negotiator.encodings(CODINGS, { preferred: CODINGS });
  const encode = ENCODERS[coding];
  const ownTag = encode === undefined ? `"${etag}"` : `"${etag}-${coding}"`;
  void reply.headers({
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cache-control": "no-cache",
    etag: ownTag,
  });
  vary(reply, "Accept-Encoding");
  if (isKnown(request.headers["if-none-match"], ownTag)) return reply.code(304).send();
  void reply.type(contentType);
  if (encode === undefined) return reply.send(plain);
  const compressing = encoded.get(coding) ?? encode(plain);
  encoded.set(coding, compressing);
  return reply.header("content-encoding", coding).send(await compressing);
}
