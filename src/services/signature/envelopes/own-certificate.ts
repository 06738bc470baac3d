import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import fs from "node:fs";
import type { SealKey } from "../../../adapters/pdf-seal/cms.ts";
import { ConfigError } from "../../../config/config.ts";

const LEAST_BITS = 2048;
/** The certificates stand in each sealed PDF. */
const MOST_BYTES = 32 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Paths of PEM files. */
export interface OwnCertificateFiles {
  /** The certificate, then those that issued it, each by the next. */
  readonly certificate: string;
  /** Its private key, without a password. */
  readonly key: string;
}

interface OwnKey extends SealKey {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The operator's own certificate: SEAL_CERTIFICATE_FILE and SEAL_KEY_FILE. Files are read each time, so that a renewal is noticed. */
export class OwnCertificate {
  readonly #files: OwnCertificateFiles;
  #last: { readonly pem: string; readonly key: OwnKey } | null = null;

  constructor(files: OwnCertificateFiles) {
    this.#files = files;
  }

  /**
   * Certificate, chain and key, whatever the time.
   * @throws ConfigError that says what is wrong
   */
  read(): OwnKey {
    const certificates = readPem("SEAL_CERTIFICATE_FILE", this.#files.certificate);
    const secret = readPem("SEAL_KEY_FILE", this.#files.key);
    const pem = `${certificates}\0${secret}`;
    if (this.#last?.pem !== pem) this.#last = { pem, key: judged(certificates, secret) };
    return this.#last.key;
  }

  /**
   * SHA-256 of the certificate and its chain, which stand in each seal, in hexadecimal.
   * @throws ConfigError as {@link read}
   */
  digest(): string {
    const { certificate, chain = [] } = this.read();
    const hash = createHash("sha256");
    for (const each of [certificate, ...chain]) hash.update(each);
    return hash.digest("hex");
  }

  /**
   * The same for now.
   * @throws ConfigError, also for a certificate that is not valid now
   */
  readFor(now: Date): OwnKey {
    const key = this.read();
    const certificates = [key.certificate, ...(key.chain ?? [])].map((each) => new X509Certificate(each));
    for (const [place, { validFromDate, validToDate }] of certificates.entries()) {
      const name = `SEAL_CERTIFICATE_FILE: ${place === 0 ? "the certificate" : `certificate ${place + 1}`}`;
      if (now >= validToDate)
        throw new ConfigError(`${name} expired at ${validToDate.toISOString()}: put a newer one into the file`);
      if (now < validFromDate) throw new ConfigError(`${name} is valid only from ${validFromDate.toISOString()}`);
    }
    return key;
  }
}

function judged(certificatesPem: string, keyPem: string): OwnKey {
  const certificates = certificatesIn(certificatesPem);
  const [certificate, ...chain] = certificates;
  if (certificate === undefined) throw new ConfigError("SEAL_CERTIFICATE_FILE: has no certificate in PEM");
  for (const [place, issuer] of chain.entries()) {
    const issued = certificates[place];
    if (issued !== undefined && !(issued.checkIssued(issuer) && issued.verify(issuer.publicKey)))
      throw new ConfigError(
        `SEAL_CERTIFICATE_FILE: certificate ${place + 2} did not issue the one before it; the own certificate stands first, then each issuer`,
      );
  }
  const key = privateKeyIn(keyPem);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== "rsa")
    throw new ConfigError(`SEAL_KEY_FILE: the key is ${key.asymmetricKeyType}; seals are made with RSA`);
  if (bits < LEAST_BITS)
    throw new ConfigError(`SEAL_KEY_FILE: the key has ${bits} bits; it must have ${LEAST_BITS} or more`);
  if (!certificate.checkPrivateKey(key))
    throw new ConfigError("SEAL_KEY_FILE: the key does not belong to the first certificate of SEAL_CERTIFICATE_FILE");
  return {
    certificate: certificate.raw,
    chain: chain.map(({ raw }) => raw),
    key,
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
  };
}

function readPem(name: string, file: string): string {
  let pem: string;
  try {
    pem = fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name}: ${file} cannot be read (${code})`, { cause: error });
  }
  if (Buffer.byteLength(pem) > MOST_BYTES) throw new ConfigError(`${name}: has more than ${MOST_BYTES} bytes`);
  return pem;
}

function certificatesIn(pem: string): X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each));
  } catch (error) {
    throw new ConfigError("SEAL_CERTIFICATE_FILE: has a certificate that cannot be read", { cause: error });
  }
}

function privateKeyIn(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // No cause: it might hold a part of the key.
    throw new ConfigError("SEAL_KEY_FILE: has no private key in PEM that opens without a password");
  }
}
