import fresh from "fresh";

/** Whether a caller with this If-None-Match already has the representation with this ETag (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return fresh({ "if-none-match": ifNoneMatch }, { etag });
}

/** Content codings of answers end their tags: other bytes have another tag (RFC 9110 §8.8.3.3). */
const IN_CODING = /-(?:zstd|br|gzip)"/g;

/** The tag of the same answer in a content coding. A weak tag stands for the answer in each of them (RFC 9110 §8.8.1). */
export const tagInCoding = (etag: string, coding: string): string =>
  etag.startsWith("W/") ? etag : `${etag.slice(0, -1)}-${coding}"`;

/** As {@link isKnown}, for an answer that the caller may have in any of our codings. */
export const isKnownInAnyCoding = (ifNoneMatch: string | undefined, etag: string): boolean =>
  isKnown(ifNoneMatch?.replaceAll(IN_CODING, '"'), etag);

/** Whether a caller with this If-Range has parts of the representation with this ETag (RFC 9110 §13.1.5). */
export function isSame(ifRange: string | undefined, etag: string): boolean {
  // A strong comparison: a weak tag never matches, and a date does not match either, since no answer here has a Last-Modified.
  return ifRange === undefined || ifRange === etag;
}
