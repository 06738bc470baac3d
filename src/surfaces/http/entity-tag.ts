import fresh from "fresh";

/** Whether a caller with this If-None-Match already has the representation with this ETag (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return fresh({ "if-none-match": ifNoneMatch }, { etag });
}

/** Whether a caller with this If-Range has parts of the representation with this ETag (RFC 9110 §13.1.5). */
export function isSame(ifRange: string | undefined, etag: string): boolean {
  // A strong comparison: a weak tag never matches, and a date does not match either, since no answer here has a Last-Modified.
  return ifRange === undefined || ifRange === etag;
}
