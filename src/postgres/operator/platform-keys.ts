import type { Statements } from "./statements.ts";

export interface NewKeyPair {
  readonly environment: "live" | "test";
  readonly ed25519: { readonly keyId: string; readonly publicKey: Buffer; readonly sealedSeed: Buffer };
  readonly mlDsa87: { readonly keyId: string; readonly publicKey: Buffer; readonly sealedSeed: Buffer };
}

export interface NewSealCertificate {
  readonly environment: "live" | "test";
  readonly certificateId: string;
  readonly certificate: Buffer;
  readonly sealedKey: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface ListedSealCertificate {
  readonly certificate_id: string;
  readonly environment: string;
  readonly status: string;
  readonly not_after: Date;
  readonly created_at: Date;
  readonly retired_at: Date | null;
}

export interface PlatformKey {
  readonly key_id: string;
  readonly algorithm: string;
  readonly environment: string;
  readonly status: string;
  readonly created_at: Date;
  readonly retired_at: Date | null;
}

/** The keys that seal evidence, and the certificates that seal PDFs. Throws AppError as Database does. */
export class PlatformKeys {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** @returns false if the environment already has an active pair */
  async addPair({ environment, ed25519, mlDsa87 }: NewKeyPair): Promise<boolean> {
    const { added } = await this.#statements.one<{ added: boolean }>(
      "select platform.add_platform_key_pair($1, $2, $3, $4, $5, $6, $7) as added",
      [
        environment,
        ed25519.keyId,
        ed25519.publicKey,
        ed25519.sealedSeed,
        mlDsa87.keyId,
        mlDsa87.publicKey,
        mlDsa87.sealedSeed,
      ],
    );
    return added;
  }

  /** @returns false if the environment already has an active certificate */
  async addCertificate(made: NewSealCertificate): Promise<boolean> {
    const { added } = await this.#statements.one<{ added: boolean }>(
      "select platform.add_seal_certificate($1, $2, $3, $4, $5, $6) as added",
      [made.environment, made.certificateId, made.certificate, made.sealedKey, made.notBefore, made.notAfter],
    );
    return added;
  }

  /** Makes these pairs and certificates active in their environments, and retires the previous ones, in one transaction. */
  async rotate(pairs: readonly NewKeyPair[], certificates: readonly NewSealCertificate[]): Promise<void> {
    const keys = pairs.flatMap(({ environment, ed25519, mlDsa87 }) =>
      [
        { algorithm: "Ed25519", ...ed25519 },
        { algorithm: "ML-DSA-87", ...mlDsa87 },
      ].map(({ algorithm, keyId, publicKey, sealedSeed }) => ({
        environment,
        algorithm,
        key_id: keyId,
        public_key: `\\x${publicKey.toString("hex")}`,
        sealed_seed: `\\x${sealedSeed.toString("hex")}`,
      })),
    );
    const made = certificates.map(({ environment, certificateId, certificate, sealedKey, notBefore, notAfter }) => ({
      environment,
      certificate_id: certificateId,
      certificate: `\\x${certificate.toString("hex")}`,
      sealed_key: `\\x${sealedKey.toString("hex")}`,
      not_before: notBefore,
      not_after: notAfter,
    }));
    await this.#statements.many("select platform.rotate_platform_keys($1), platform.rotate_seal_certificates($2)", [
      JSON.stringify(keys),
      JSON.stringify(made),
    ]);
  }

  list(): Promise<PlatformKey[]> {
    return this.#statements.many<PlatformKey>(
      "select key_id, algorithm, environment, status, created_at, retired_at from platform.platform_keys order by created_at, key_id",
    );
  }

  certificates(): Promise<ListedSealCertificate[]> {
    return this.#statements.many<ListedSealCertificate>(
      "select certificate_id, environment, status, not_after, created_at, retired_at from platform.seal_certificates order by created_at, certificate_id",
    );
  }
}
