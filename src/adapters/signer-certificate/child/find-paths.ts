import type { ParsedCertificate } from "./certificate.ts";
import { isSameName } from "./names.ts";
import { isSignedBy } from "./signatures.ts";

/** A certificate, and its place in the order. */
export interface Placed {
  readonly place: number;
  readonly certificate: ParsedCertificate;
}

/** Where issuers are looked for. */
export interface Issuers {
  /** Of a name, those at which a path may end, then others. */
  rootsOf(name: Buffer): readonly Placed[];
  othersOf(name: Buffer): readonly Placed[];
}

/** Certificates of one name and one key can be strung together in any order: without a bound, ten of them make millions of paths. */
const MOST_SIGNATURES = 64;
const MOST_LENGTH = 10;

/**
 * The paths from a holder's certificate to a root, each certificate signed by the key of the next. Names only say which keys to try.
 */
export function* findPaths(holder: Placed, issuers: Issuers): Generator<readonly Placed[], void, undefined> {
  const tried = { signatures: 0 };
  yield* pathsFrom([holder], issuers, tried);
}

function* pathsFrom(
  below: readonly Placed[],
  issuers: Issuers,
  tried: { signatures: number },
): Generator<readonly Placed[], void, undefined> {
  const last = below.at(-1);
  if (!last || below.length >= MOST_LENGTH) return;
  const signs = ({ certificate }: Placed): boolean => {
    if (below.some((each) => each.certificate.der.equals(certificate.der))) return false;
    if (!isSameName(certificate.subject, last.certificate.issuer)) return false;
    if (tried.signatures >= MOST_SIGNATURES) return false;
    tried.signatures += 1;
    return isSignedBy(last.certificate.signed, certificate.key);
  };
  for (const root of issuers.rootsOf(last.certificate.issuer)) if (signs(root)) yield [...below, root];
  for (const other of issuers.othersOf(last.certificate.issuer))
    if (signs(other)) yield* pathsFrom([...below, other], issuers, tried);
}
