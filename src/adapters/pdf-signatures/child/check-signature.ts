import { createHash } from "node:crypto";
import { type Certificate, id_ContentType_Data, type SignerInfo } from "pkijs";
import type { ParsedCertificate } from "../../signer-certificate/child/certificate.ts";
import { holderOf } from "../../signer-certificate/child/holder.ts";
import { judge } from "../../signer-certificate/child/judge.ts";
import { oneLine } from "../../signer-certificate/child/names.ts";
import { MOST_CERTIFICATES } from "../../signer-certificate/refusals.ts";
import { asRead } from "../../time-stamp/der.ts";
import { bufferOf } from "../../time-stamp/named-certificate.ts";
import type { Integrity, Order, SeenSignature, Signer } from "../answer.ts";
import { type CheckedToken, checkToken } from "./check-token.ts";
import type { FoundSignature } from "./find-signatures.ts";
import type { RangeDigests } from "./range-digests.ts";
import { Malformed, readCertificate, readCms, Unread } from "./read-cms.ts";
import { signingTimeOf, type Verified, verifyCms } from "./verify-cms.ts";

/** Signatures in CMS of the bytes around them. Others are SHA-1 alone, or unknown. */
const DETACHED: ReadonlySet<string | null> = new Set([
  "adbe.pkcs7.detached",
  "ETSI.CAdES.detached",
  "PBAD.AdES_RB",
  "PBAD.PAdES",
]);
/** Time stamps of a document. */
const STAMPS: ReadonlySet<string | null> = new Set(["ETSI.RFC3161", "PBAD.DocTimeStamp"]);
const TIME_STAMP_TOKEN = "1.2.840.113549.1.9.16.2.14";

const UNREAD: Verified = { integrity: "not_checked", info: null, signer: null, chain: [] };
const NO_TOKEN = { state: "none", at: null } as const;

/** What the answer says of one signature. The other signatures of the file are checked, too. */
export class SignatureChecker {
  readonly #file: Buffer;
  readonly #digests: RangeDigests;
  readonly #order: Order;
  #roots: readonly Certificate[] | undefined;

  constructor(file: Buffer, digests: RangeDigests, order: Order) {
    this.#file = file;
    this.#digests = digests;
    this.#order = order;
  }

  async check(found: FoundSignature): Promise<SeenSignature> {
    const { format, signed } = found;
    const isStamp = STAMPS.has(format);
    const token = isStamp && signed ? await checkToken(found.contents, this.#digestOf(signed), this.#trusted()) : null;
    const verified =
      token === null ? this.#verify(found) : { ...(token.verified ?? UNREAD), integrity: integrityOf(token) };
    const stamp = token ?? (verified.info ? await this.#stampOf(verified.info) : NO_TOKEN);
    const claimedAt = (verified.info && signingTimeOf(verified.info)) ?? found.claimedAt;
    const asks = !isStamp && verified.integrity === "valid" && this.#order.authorities.length > 0;
    const chain = asks ? verified.chain.slice(0, MOST_CERTIFICATES).map((each) => each.toString("base64")) : [];
    return {
      format,
      integrity: verified.integrity,
      covers_whole_file: signed?.end === this.#file.length,
      signer: verified.signer && describe(verified.signer),
      signed_at: wireTime(stamp.at ?? claimedAt),
      timestamp: stamp.state,
      judged: asks ? this.#judge(chain, stamp.at ?? claimedAt) : null,
      chain,
    };
  }

  #verify({ format, signed, contents }: FoundSignature): Verified {
    if (signed === null) return { ...UNREAD, integrity: "invalid" };
    if (!DETACHED.has(format)) return UNREAD;
    try {
      const cms = readCms(contents);
      const { eContentType, eContent } = cms.content;
      if (eContentType !== id_ContentType_Data) throw new Malformed("it signs other content");
      const verified = verifyCms(cms, {
        type: id_ContentType_Data,
        digest: this.#digestOf(signed),
        pieces: () => [this.#file.subarray(0, signed.start), this.#file.subarray(signed.resume, signed.end)],
      });
      // Some programs put content into it. It must have none (ISO 32000-2, 12.8.3.3.1): readers disagree on what such a signature signs.
      return eContent === undefined || verified.integrity !== "valid"
        ? verified
        : { ...verified, integrity: "not_checked" };
    } catch (error) {
      if (error instanceof Unread) return UNREAD;
      return { ...UNREAD, integrity: "invalid" };
    }
  }

  #digestOf = (signed: NonNullable<FoundSignature["signed"]>) => (algorithm: string) =>
    this.#digests.of(signed, algorithm);

  /** The time stamp of a signature is over its value. */
  async #stampOf(info: SignerInfo): Promise<{ readonly state: SeenSignature["timestamp"]; readonly at: Date | null }> {
    const tokens = (info.unsignedAttrs?.attributes ?? []).filter(({ type }) => type === TIME_STAMP_TOKEN);
    const [token, ...more] = tokens.flatMap(({ values }) => values);
    if (token === undefined) return NO_TOKEN;
    if (more.length > 0) return { state: "not_checked", at: null };
    const value = bufferOf(info.signature);
    const digest = (algorithm: string) => createHash(algorithm).update(value).digest();
    return checkToken(asRead(token), digest, this.#trusted());
  }

  #trusted(): readonly Certificate[] {
    this.#roots ??= this.#order.stampRoots.flatMap((root) => {
      try {
        return [readCertificate(Buffer.from(root, "base64"))];
      } catch {
        return []; // One of a kind that pkijs does not know vouches for nobody.
      }
    });
    return this.#roots;
  }

  /** The certificates must be valid at the time of signing. Nobody can claim a time to come. */
  #judge(chain: readonly string[], at: Date | null): SeenSignature["judged"] {
    const now = new Date(this.#order.now);
    const then = at === null || at > now ? now : at;
    const { authorities } = this.#order;
    return judge({ task: "judge", chain, authorities, at: then.toISOString(), cpf: null });
  }
}

/** A stamp that is sound, of an authority that nobody knows, is a sound signature. */
function integrityOf({ state, verified }: CheckedToken): Integrity {
  if (state === "invalid" || verified === null) return state === "not_checked" ? "not_checked" : "invalid";
  return verified.integrity;
}

/** @returns null for a year of other than four digits, which nobody signed in and the wire has no form for */
function wireTime(at: Date | null): string | null {
  const text = at?.toISOString() ?? null;
  return text === null || text.length > "9999-12-31T23:59:59.999Z".length ? null : text;
}

/** @returns null for a certificate whose names cannot be read */
function describe(certificate: ParsedCertificate): Signer | null {
  try {
    const { name, responsible, cpf } = holderOf(certificate);
    return {
      name: responsible ?? name,
      cpf,
      issuer: oneLine(certificate.x509.issuer.replaceAll("\n", ", ")),
      serial: certificate.x509.serialNumber,
      sha256: certificate.x509.fingerprint256.replaceAll(":", "").toLowerCase(),
    };
  } catch {
    return null;
  }
}
