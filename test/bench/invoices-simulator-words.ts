export type SimulatorQuestion =
  | { readonly ask: "where" }
  | { readonly ask: "a1"; readonly cnpj: string }
  | { readonly ask: "questions" };

/** Where it listens, and whose signatures count. */
export interface SimulatorPlace {
  readonly url: string;
  readonly folder: string;
  readonly caPem: string;
  readonly signerPem: string;
}

/** A certificate of an issuer. */
export interface BenchA1 {
  /** The PKCS#12 file, base64. */
  readonly p12: string;
  readonly certificate: string;
  readonly privateKey: string;
}

export const PASSWORD = "segredo";

/** Questions of workers in doubt, of the last 10,000 requests at most. */
export interface SimulatorQuestions {
  /** For DPS. */
  readonly asked: number;
  /** DPS that had become an NFS-e: a worker fetched it. */
  readonly found: number;
}
