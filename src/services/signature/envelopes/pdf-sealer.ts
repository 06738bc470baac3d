import { createHash } from "node:crypto";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { openSealKey } from "../../../adapters/pdf-seal/certificate.ts";
import { type SealKey, signDigest } from "../../../adapters/pdf-seal/cms.ts";
import { sealPdf, type ToSeal } from "../../../adapters/pdf-seal/seal-pdf.ts";
import { ConfigError } from "../../../config/config.ts";
import type { StoredSealCertificate } from "../../../postgres/database.ts";
import type { Metrics } from "../../../surfaces/metrics/metrics.ts";
import { sealKeyPurpose } from "../../platform/keys/make-certificate.ts";
import { type SignatureMetrics, signatureMetrics } from "../metrics.ts";

/** Reads the certificates that seal now. */
interface CertificateStore {
  sealCertificates(): Promise<StoredSealCertificate[]>;
}

interface CertifiedKey extends SealKey {
  readonly certificateId: string;
  /** From when the certificate is valid. */
  readonly notBefore: Date;
}

/**
 * Seals PDFs with the active certificate of their environment. The certificates are read at each seal, so that a rotation is noticed; a private
 * key is decrypted once.
 */
export class PdfSealer {
  readonly #store: CertificateStore;
  readonly #masterKeys: MasterKeyring;
  readonly #metrics: SignatureMetrics | null;
  readonly #now: () => Date;
  /** The last key of each environment. */
  readonly #keys = new Map<string, CertifiedKey>();

  /** @param now the clock by which certificates expire */
  constructor(
    store: CertificateStore,
    masterKeys: MasterKeyring,
    metrics: Metrics | null = null,
    now: () => Date = () => new Date(),
  ) {
    this.#store = store;
    this.#masterKeys = masterKeys;
    this.#metrics = metrics === null ? null : metrics.of(signatureMetrics);
    this.#now = now;
  }

  /**
   * The PDF with a signature over all of it: PAdES baseline B-B. The signature shows the given instant, or the first of its certificate. The same input gives the same bytes while the certificate is the same.
   * @throws ConfigError that says which certificate is unusable and what to do; SealingFailed, the signal's reason
   */
  async seal(input: ToSeal & { readonly environment: "live" | "test" }, signal?: AbortSignal): Promise<Buffer> {
    const { environment } = input;
    try {
      const { notBefore, ...key } = await this.#keyOf(environment);
      // A signature from before its certificate would be invalid.
      const at = new Date(Math.max(input.at.getTime(), notBefore.getTime()));
      const sealed = await sealPdf({ ...input, at }, key, { signal });
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
    if (known?.certificateId === certificateId) return known;
    let key: CertifiedKey;
    try {
      const privateKey = this.#masterKeys.open(sealedKey, sealKeyPurpose(certificateId));
      key = { certificateId, notBefore, certificate, key: openSealKey(certificate, privateKey) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError(
        `${name} cannot be used: ${reason}; set SELO_MASTER_KEY to the key that encrypted it, or run selo keys rotate`,
        { cause: error },
      );
    }
    // The key of a replaced certificate leaves the memory.
    this.#keys.set(environment, key);
    return key;
  }
}
