import { createHash } from "node:crypto";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { openSealKey } from "../../../adapters/pdf-seal/certificate.ts";
import { type SealKey, signDigest } from "../../../adapters/pdf-seal/cms.ts";
import { sealPdf, type ToSeal } from "../../../adapters/pdf-seal/seal-pdf.ts";
import type { SignatureStamp } from "../../../adapters/pdf-seal/time-stamp-attribute.ts";
import { MOST_TOKEN_BYTES, type TimeStampAuthority } from "../../../adapters/time-stamp/time-stamp-authority.ts";
import { TimeStampFailed } from "../../../adapters/time-stamp/time-stamp-failed.ts";
import { ConfigError } from "../../../config/config.ts";
import type { StoredSealCertificate } from "../../../postgres/database.ts";
import type { Metrics } from "../../../surfaces/metrics/metrics.ts";
import { sealKeyPurpose } from "../../platform/keys/make-certificate.ts";
import { type SignatureMetrics, signatureMetrics } from "../metrics.ts";
import type { OwnCertificate } from "./own-certificate.ts";

/** Reads the certificates that seal now. */
interface CertificateStore {
  sealCertificates(): Promise<StoredSealCertificate[]>;
}

interface CertifiedKey extends SealKey {
  /** From when the certificate is valid. */
  readonly notBefore: Date;
}

/** Who stamps the seals of live with the time. */
export interface TimeStamps {
  readonly authority: Pick<TimeStampAuthority, "stamp">;
  /** Whether no final document is sealed without a time stamp. */
  readonly isRequired: boolean;
}

export interface SealerOptions {
  readonly metrics?: Metrics | null;
  /** Seals PDFs of live. Null: the certificate of the store. */
  readonly own?: Pick<OwnCertificate, "readFor"> | null;
  /** Null: seals have no time stamp. */
  readonly timeStamps?: TimeStamps | null;
  /** The clock by which certificates expire. */
  readonly now?: () => Date;
}

type Sealing = ToSeal & { readonly environment: "live" | "test" };

/** A sealed final document. */
export interface SealedFinal {
  readonly pdf: Buffer;
  /** Whether the seal has a time stamp that was checked. */
  readonly timestamp: "none" | "valid";
  /** Why the time stamp that was asked for is missing. */
  readonly fault: TimeStampFailed | null;
}

/**
 * Seals PDFs with the active certificate of their environment, or with the operator's own. The certificates are read at each seal, so that a rotation
 * is noticed; a private key is decrypted once.
 */
export class PdfSealer {
  readonly #store: CertificateStore;
  readonly #masterKeys: MasterKeyring;
  readonly #metrics: SignatureMetrics | null;
  readonly #own: Pick<OwnCertificate, "readFor"> | null;
  readonly #timeStamps: TimeStamps | null;
  readonly #now: () => Date;
  /** The last key of each environment. */
  readonly #keys = new Map<string, { readonly certificateId: string; readonly key: CertifiedKey }>();

  constructor(
    store: CertificateStore,
    masterKeys: MasterKeyring,
    { metrics = null, own = null, timeStamps = null, now = () => new Date() }: SealerOptions = {},
  ) {
    this.#store = store;
    this.#masterKeys = masterKeys;
    this.#metrics = metrics === null ? null : metrics.of(signatureMetrics);
    this.#own = own;
    this.#timeStamps = timeStamps;
    this.#now = now;
  }

  /**
   * The PDF with a signature over all of it: PAdES baseline B-B. The signature shows the given instant, or the first of its certificate. The same input gives the same bytes while the certificate is the same.
   * @throws ConfigError that says which certificate is unusable and what to do; SealingFailed, the signal's reason
   */
  seal(input: Sealing, signal?: AbortSignal): Promise<Buffer> {
    return this.#seal(input, signal);
  }

  /**
   * Seals a final document: as {@link seal}, and in live with a time stamp where there is an authority: baseline B-T. Without a usable time stamp
   * it is B-B.
   * @param asksForTime whether the authority is asked at all
   * @throws as {@link seal}; TimeStampFailed if a time stamp is required and there is none
   */
  async sealFinal(input: Sealing, asksForTime: boolean, signal?: AbortSignal): Promise<SealedFinal> {
    const asked = input.environment === "live" && asksForTime ? this.#timeStamps : null;
    if (asked === null) return { pdf: await this.#seal(input, signal), timestamp: "none", fault: null };
    let fault: TimeStampFailed | null = null;
    const stamp = async (signature: Buffer) => {
      try {
        const token = await asked.authority.stamp(signature, signal);
        this.#metrics?.timeStamped("made");
        return token;
      } catch (error) {
        if (!(error instanceof TimeStampFailed)) throw error;
        this.#metrics?.timeStamped("failed");
        if (asked.isRequired) throw error;
        fault = error;
        return null;
      }
    };
    const pdf = await this.#seal(input, signal, { stamp, mostBytes: MOST_TOKEN_BYTES });
    return { pdf, timestamp: fault === null ? "valid" : "none", fault };
  }

  async #seal({ environment, ...input }: Sealing, signal?: AbortSignal, timeStamp?: SignatureStamp): Promise<Buffer> {
    try {
      const { notBefore, ...key } = await this.#keyOf(environment);
      // A signature from before its certificate would be invalid.
      const at = new Date(Math.max(input.at.getTime(), notBefore.getTime()));
      const sealed = await sealPdf({ ...input, at }, key, { signal, timeStamp });
      this.#metrics?.pdfSealed(environment, "made");
      return sealed;
    } catch (error) {
      this.#metrics?.pdfSealed(environment, "failed");
      throw error;
    }
  }

  /**
   * Makes a signature with the certificate of each environment.
   * @throws ConfigError
   */
  async check(): Promise<void> {
    const digest = createHash("sha256").update("readiness").digest();
    for (const environment of ["live", "test"] as const) signDigest(digest, await this.#keyOf(environment));
  }

  async #keyOf(environment: "live" | "test"): Promise<CertifiedKey> {
    if (environment === "live" && this.#own !== null) {
      const { notAfter, ...own } = this.#own.readFor(this.#now());
      this.#metrics?.certificateExpires(environment, notAfter);
      return own;
    }
    const stored = (await this.#store.sealCertificates()).find((each) => each.environment === environment);
    if (stored === undefined)
      throw new ConfigError(`environment ${environment} has no certificate that seals PDFs: run selo migrate`);
    const { certificateId, certificate, sealedKey, notBefore, notAfter } = stored;
    this.#metrics?.certificateExpires(environment, notAfter);
    const name = `the certificate ${certificateId}, which seals PDFs of environment ${environment},`;
    const now = this.#now();
    if (now >= notAfter) throw new ConfigError(`${name} expired at ${notAfter.toISOString()}: run selo keys rotate`);
    if (now < notBefore)
      throw new ConfigError(`${name} is valid only from ${notBefore.toISOString()}: set this machine's clock`);
    const known = this.#keys.get(environment);
    if (known?.certificateId === certificateId) return known.key;
    let key: CertifiedKey;
    try {
      const privateKey = this.#masterKeys.open(sealedKey, sealKeyPurpose(certificateId));
      key = { notBefore, certificate, key: openSealKey(certificate, privateKey) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError(
        `${name} cannot be used: ${reason}; set SELO_MASTER_KEY to the key that encrypted it, or run selo keys rotate`,
        { cause: error },
      );
    }
    // The key of a replaced certificate leaves the memory.
    this.#keys.set(environment, { certificateId, key });
    return key;
  }
}
