import { createHmac, timingSafeEqual } from "node:crypto";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** For how long a link leads to its file. */
const LINK_SECONDS = 300;

/** The purpose of the key, in the keyring. */
const KEY = "file-links";

const MAC_BYTES = 32;
/** Environment, organization, file, and the end in milliseconds since 1970. */
const CLAIM_BYTES = 1 + 16 + 16 + 6;
const ENVIRONMENTS = ["test", "live"] as const;

/** A file that a link leads to, and whose it is. */
export interface LinkedFile {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  /** A random UUID. Only links contain it, so that a thief of the gateway's login does not know it. */
  readonly objectId: string;
}

/**
 * Signed links to files. A caller needs no token: the link alone gives the file, by GET, until it ends.
 * The token of a link is its claim and HMAC-SHA-256 (RFC 2104) over method, path and claim, in base64url.
 */
export class FileLinks {
  readonly #masterKeys: MasterKeyring;
  readonly #publicUrl: string;
  readonly #now: () => Date;

  /** @param now the clock by which links end */
  constructor(masterKeys: MasterKeyring, publicUrl: string, now: () => Date = () => new Date()) {
    this.#masterKeys = masterKeys;
    this.#publicUrl = publicUrl;
    this.#now = now;
  }

  /**
   * The address under which a file can be downloaded for five minutes. It is a secret: logs must not have it.
   * @param path what stands before the token, such as `/api/v1/files/`
   */
  downloadLink(
    path: string,
    { tenantId, environment, objectId }: LinkedFile,
  ): { readonly url: string; readonly expires_at: string } {
    const end = this.#now().getTime() + LINK_SECONDS * 1_000;
    const claim = Buffer.alloc(CLAIM_BYTES);
    claim[0] = ENVIRONMENTS.indexOf(environment);
    bytesOf(tenantId).copy(claim, 1);
    bytesOf(objectId).copy(claim, 17);
    claim.writeUIntBE(end, 33, 6);
    const token = Buffer.concat([claim, macOf(path, claim, this.#masterKeys.derive(KEY))]).toString("base64url");
    // Six digits, as every time of the API.
    const expiresAt = new Date(end).toISOString().replace("Z", "000Z");
    return { url: `${this.#publicUrl}${path}${token}`, expires_at: expiresAt };
  }

  /** The file that a link leads to; null for a token that this deployment did not make for this path, or whose time is over. */
  read(path: string, token: string): LinkedFile | null {
    const bytes = Buffer.from(token, "base64url");
    // One token for one claim: other texts that decode to the same bytes are no tokens.
    if (bytes.length !== CLAIM_BYTES + MAC_BYTES || bytes.toString("base64url") !== token) return null;
    const claim = bytes.subarray(0, CLAIM_BYTES);
    const mac = bytes.subarray(CLAIM_BYTES);
    // Links live on while the master key is replaced.
    if (!this.#masterKeys.deriveAll(KEY).some((key) => timingSafeEqual(macOf(path, claim, key), mac))) return null;
    if (claim.readUIntBE(33, 6) <= this.#now().getTime()) return null;
    const environment = ENVIRONMENTS[claim[0] ?? -1];
    if (environment === undefined) return null;
    return { environment, tenantId: uuidOf(claim.subarray(1, 17)), objectId: uuidOf(claim.subarray(17, 33)) };
  }
}

/** A path has no line break and the claim has a fixed length, so no two requests have the same bytes. */
function macOf(path: string, claim: Buffer, key: Buffer): Buffer {
  return createHmac("sha256", key).update(`GET\n${path}\n`).update(claim).digest();
}

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
