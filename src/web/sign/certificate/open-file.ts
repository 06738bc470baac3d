import { latin1 } from "../../../pkcs12/bytes.ts";
import { KeyAwaited } from "../../../pkcs12/derive-keys.ts";
import { type Bags, openPfx } from "../../../pkcs12/open-pfx.ts";
import { type Refusal, Refused } from "../../../pkcs12/refused.ts";
import { type BrowserDigests, browserDigests } from "./digests.ts";
import type { SigningKey } from "./sign-digests.ts";
import { type Certificate, chainOf, type KeyKind, kindOf, readCertificate } from "./x509.ts";

/** A certificate and its key, which signs and cannot be read. */
export interface OwnCertificate {
  readonly key: SigningKey;
  /** DER, leaf first. */
  readonly chain: readonly Uint8Array<ArrayBuffer>[];
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Masked as the page shows it. */
  readonly cpf: string | null;
}

/** Why a file cannot be used, as the page says it. */
export type FileFault = "password" | "no_key" | "damaged" | "unsupported" | "key" | "time";

export type OpenedFile = { readonly own: OwnCertificate } | { readonly fault: FileFault };

/** The refusals that a file of a signer may meet here; others are of the server. */
const FAULTS: Readonly<Partial<Record<Refusal, FileFault>>> = {
  wrong_password: "password",
  no_key: "no_key",
  unsupported: "unsupported",
  key_not_rsa: "key",
  too_many_iterations: "time",
};

/** As long as the service takes chains. */
const MOST_CERTIFICATES = 10;

/** Opens a PKCS#12 file: the key, the certificate that belongs to it, and those above. */
export async function openFile(file: Uint8Array<ArrayBuffer>, password: string): Promise<OpenedFile> {
  if (isCertificateAlone(file)) return { fault: "no_key" };
  try {
    const digests = await browserDigests();
    const bags = await opened(file, password, digests);
    return { own: await ownOf(bags) };
  } catch (error) {
    if (error instanceof Refused) return { fault: FAULTS[error.reason] ?? "damaged" };
    throw error;
  }
}

async function opened(file: Uint8Array, password: string, digests: BrowserDigests): Promise<Bags> {
  // Each time one key more is there.
  for (;;) {
    try {
      return openPfx(file, password, digests);
    } catch (error) {
      if (!(error instanceof KeyAwaited)) throw error;
      await digests.settle();
    }
  }
}

/** What many choose by mistake: the certificate that everybody may have. */
function isCertificateAlone(file: Uint8Array<ArrayBuffer>): boolean {
  if (/^-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(latin1(file.subarray(0, 100)).trimStart())) return true;
  return certificateIn(file) !== null;
}

function certificateIn(der: Uint8Array<ArrayBuffer>): Certificate | null {
  try {
    return readCertificate(der);
  } catch {
    return null;
  }
}

async function ownOf({ keys, certificates }: Bags): Promise<OwnCertificate> {
  if (keys.length === 0) throw new Refused("no_key");
  const all = certificates.map(certificateIn).filter((each) => each !== null);
  if (all.length === 0) throw new Refused("no_certificate");
  const kinds = all.map(({ publicKey }) => kindOf(publicKey));
  const pairs: { readonly key: SigningKey; readonly leaf: Certificate }[] = [];
  for (const der of keys)
    for (const [at, leaf] of all.entries()) {
      const key = await keyOf(der, leaf, kinds[at] ?? null);
      if (key !== null) pairs.push({ key, leaf });
    }
  // Beside it a file may have a key that only decrypts.
  const signing = pairs.filter(({ leaf }) => leaf.maySign);
  const [first, ...others] = signing.length > 0 ? signing : pairs;
  if (first === undefined) throw new Refused(kinds.includes(null) ? "key_not_rsa" : "key_mismatch");
  // Who has renewed a certificate and kept its key signs with the new one.
  const { key, leaf } = others.reduce((best, each) => (each.leaf.notBefore > best.leaf.notBefore ? each : best), first);
  return {
    key,
    chain: chainOf(leaf, all)
      .slice(0, MOST_CERTIFICATES)
      .map(({ der }) => der),
    notBefore: leaf.notBefore.getTime(),
    notAfter: leaf.notAfter.getTime(),
    cpf: leaf.cpf === null ? null : `•••.${leaf.cpf.slice(3, 6)}.${leaf.cpf.slice(6, 9)}-••`,
  };
}

const TRIAL = new TextEncoder().encode("a key fits the certificate that verifies its signature");

/** The key, where the certificate verifies what it signs; null otherwise. */
async function keyOf(
  pkcs8: Uint8Array<ArrayBuffer>,
  { publicKey }: Certificate,
  kind: KeyKind | null,
): Promise<SigningKey | null> {
  if (kind === null) return null;
  try {
    const key = await crypto.subtle.importKey("pkcs8", pkcs8, kind, false, ["sign"]);
    const verifier = await crypto.subtle.importKey("spki", publicKey, kind, false, ["verify"]);
    const signature = await crypto.subtle.sign(SHA256(kind), key, TRIAL);
    return (await crypto.subtle.verify(SHA256(kind), verifier, signature, TRIAL)) ? key : null;
  } catch {
    // Of another kind, or damaged.
    return null;
  }
}

const SHA256 = ({ name }: KeyKind) => ({ name, hash: "SHA-256" });
