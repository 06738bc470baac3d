/** A part of a document, and the size of the whole. */
export interface Part {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
}

/** Where the reader gets a document from, in parts: the first page of a large file does not wait for the last. */
export interface DocumentSource {
  /** Bytes from `begin` to before `end`, or to the end of the document. Rejects where they cannot be had. */
  range(begin: number, end: number): Promise<Part>;
}

const CONTENT_RANGE = /^bytes (\d+)-\d+\/(\d+)$/;

/**
 * A source that asks HTTP for ranges (RFC 9110 §14). All parts are of one version of the document: a change in between rejects.
 * @param request sends a GET with these headers to the document's address. Headers such as `X-Signing-Link` are the caller's, and so is what an answer like 401 means
 */
export function httpSource(request: (headers: Readonly<Record<string, string>>) => Promise<Response>): DocumentSource {
  let version: string | null = null;
  return {
    range: async (begin, end) => {
      const response = await request({ range: `bytes=${begin}-${end - 1}` });
      if (!response.ok) throw new Error(`a part of the document was answered with ${response.status}`);
      const etag = response.headers.get("etag");
      version ??= etag;
      if (etag !== version) throw new Error("the document became another one");
      const bytes = new Uint8Array(await response.arrayBuffer());
      const [, first, size] = CONTENT_RANGE.exec(response.headers.get("content-range") ?? "") ?? [];
      // The whole document, from a server or a proxy that knows no ranges.
      if (response.status !== 206) return { bytes: bytes.slice(begin, end), size: bytes.length };
      if (Number(first) !== begin) throw new Error("another part of the document came");
      return { bytes, size: Number(size) };
    },
  };
}

/** The whole document. */
export async function readWhole(source: DocumentSource): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, size } = await source.range(0, Number.MAX_SAFE_INTEGER);
  if (bytes.length !== size) throw new Error("a part of the document is missing");
  return bytes;
}
