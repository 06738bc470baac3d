import { useEffect, useState } from "react";
import type { SignatureChecks } from "../../verifier/verify-with.ts";

/** Loads what checks signatures. A proof without its file has nothing for it to check, so the page stands before it is loaded. */
export async function loadSignatureChecks(): Promise<SignatureChecks> {
  return (await import("../../verifier/hybrid-signature.ts")).HYBRID_CHECKS;
}

/** @param isNeeded whether a signed text may be known */
export function useSignatureChecks(isNeeded: boolean, attempt: number): SignatureChecks | "loading" | "missing" {
  const [checks, setChecks] = useState<SignatureChecks | "loading" | "missing">("loading");
  const isAwaited = isNeeded && typeof checks === "string";
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes when the visitor tries again.
  useEffect(() => {
    if (!isAwaited) return;
    let isStale = false;
    const answer = (loaded: SignatureChecks | "missing") => {
      if (!isStale) setChecks(loaded);
    };
    loadSignatureChecks().then(answer, () => answer("missing"));
    return () => {
      isStale = true;
    };
  }, [isAwaited, attempt]);
  return isNeeded || typeof checks !== "string" ? checks : UNNEEDED;
}

/** Nothing may pass for checked where nothing was expected to be checked. */
const UNNEEDED: SignatureChecks = { ed25519: refuse, mlDsa87: refuse };

function refuse(): never {
  throw new Error("what checks signatures is not loaded");
}
