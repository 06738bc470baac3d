import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";

/** Who signs requests to a storage. */
export interface StorageKey {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secret: string;
}

/** A request to sign. */
export interface StorageRequest {
  readonly method: "GET" | "PUT";
  readonly url: URL;
  /** Headers beside `host`, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal. */
  readonly sha256: string;
}

/**
 * The headers of a request with AWS Signature Version 4, for the service s3.
 * @param at when the request is sent, by a clock that is right: storages refuse a quarter of an hour
 */
export async function signRequest(request: StorageRequest, key: StorageKey, at: Date): Promise<Record<string, string>> {
  const { method, url, headers, sha256 } = request;
  const signer = new SignatureV4({
    service: "s3",
    region: key.region,
    credentials: { accessKeyId: key.accessKeyId, secretAccessKey: key.secret },
    sha256: Sha256,
    // The path is escaped once, when the URL is made: S3 alone takes it as it is.
    uriEscapePath: false,
  });
  const signed = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { ...headers, host: url.host, "x-amz-content-sha256": sha256 },
    },
    { signingDate: at },
  );
  return signed.headers;
}

/** The digest and the HMAC that the signer computes with. */
class Sha256 {
  readonly #secret: Parameters<typeof createHmac>[1] | null;
  #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined ? null : keyOf(secret);
    this.#hash = this.#new();
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#new();
  }

  #new() {
    return this.#secret === null ? createHash("sha256") : createHmac("sha256", this.#secret);
  }
}

const keyOf = (secret: string | ArrayBuffer | ArrayBufferView) =>
  typeof secret === "string" || ArrayBuffer.isView(secret)
    ? (secret as string | NodeJS.ArrayBufferView)
    : Buffer.from(secret);
