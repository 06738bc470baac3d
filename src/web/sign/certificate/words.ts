/** Why a certificate, or its file, cannot be used. */
export type CertificateFault =
  | "chain"
  | "expired"
  | "not_yet"
  | "usage"
  | "key"
  | "cpf"
  | "revoked"
  | "revocation_unknown"
  | "password"
  | "no_key"
  | "damaged"
  | "unsupported"
  | "time"
  | "thread";

/** What is wrong, and what to do. Places: `{date}`, `{cpf}`, `{name}`, `{file}`. */
interface FaultWords {
  readonly sentence: string;
  readonly remedy: string;
}

/** The words of the steps of a certificate, which are loaded with them. */
export interface CertificateWords {
  readonly open: {
    readonly heading: string;
    /** With `{organization}`. */
    readonly asks: string;
    readonly file: string;
    readonly hint: string;
    readonly choose: string;
    readonly change: string;
    /** With `{size}`, in KB. */
    readonly size: string;
    readonly noFile: string;
    readonly password: string;
    readonly noPassword: string;
    readonly show: string;
    readonly stays: string;
    readonly staysText: string;
    readonly sent: string;
    readonly sentText: string;
    readonly token: string;
    /** Around the link. */
    readonly tokenText: string;
    readonly guide: string;
    readonly submit: string;
    readonly notSigning: string;
  };
  readonly opening: {
    readonly heading: string;
    readonly patience: string;
    readonly progress: string;
    readonly reading: string;
    readonly read: string;
    readonly judging: string;
    readonly preparing: string;
    readonly cancel: string;
  };
  readonly sign: {
    readonly heading: string;
    readonly agreement: string;
    readonly certificate: string;
    readonly cpf: string;
    readonly issuer: string;
    readonly until: string;
    readonly change: string;
    readonly drawn: string;
    readonly submit: string;
    readonly busy: string;
    readonly again: string;
  };
  readonly done: {
    readonly heading: string;
    /** With `{title}` and `{when}`. */
    readonly sentence: string;
    readonly dropped: string;
    /** With `{name}`, `{cpf}`, `{issuer}`. */
    readonly how: string;
    readonly howWithoutCpf: string;
    readonly state: string;
    readonly notRevoked: string;
  };
  readonly faults: Readonly<Record<CertificateFault, FaultWords>>;
  /** After the remedy for another CPF, where replies are read. */
  readonly wrongCpf: string;
  /** Where the issuer says when. */
  readonly revokedAt: string;
  readonly insecure: FaultWords;
}
