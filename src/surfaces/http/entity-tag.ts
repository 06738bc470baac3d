import fresh from "fresh";

/** Whether a caller who sent this If-None-Match has the representation of this ETag already (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return fresh({ "if-none-match": ifNoneMatch }, { etag });
}

/** Whether the parts that a caller has, by his If-Range, belong to the representation of this ETag (RFC 9110 §13.1.5). */
export function isSame(ifRange: string | undefined, etag: string): boolean {
  // Compared strongly: a weak tag is never the same, and neither is a date, since nothing here has a Last-Modified.
  return ifRange === undefined || ifRange === etag;
}
