import { useLayoutEffect, useState } from "react";
import { canonicalCode } from "../shell/code-form.tsx";

const PATH = /^\/verify\/([^/]+)\/?$/;

/** Keeps the code in the address, so that a result can be linked and the browser's Back works. */
export function useCodeInAddress(isByCode: boolean): {
  readonly code: string | null;
  readonly setCode: (code: string | null) => void;
  readonly isOpening: boolean;
} {
  const [code, setCode] = useState<string | null>(null);
  const [isOpening, setOpening] = useState(isByCode);
  // Before the first paint: one picture less to draw.
  useLayoutEffect(() => {
    const onPop = () => setCode(codeOfAddress());
    onPop();
    setOpening(false);
    addEventListener("popstate", onPop);
    return () => removeEventListener("popstate", onPop);
  }, []);
  const change = (next: string | null) => {
    history.pushState(null, "", `/verify${next === null ? "" : `/${next}`}${location.search}`);
    setCode(next);
  };
  return { code, setCode: change, isOpening };
}

/** Replaces every text in the address that is not a code: anybody can write the address, and it must not show on this page. */
export const NO_CODE = "?";

/** The code in the address; null without any text in its place. */
export function codeOfAddress(): string | null {
  const written = PATH.exec(location.pathname)?.[1];
  if (written === undefined) return null;
  const text = decodeURIComponent(written);
  return canonicalCode(text) ?? NO_CODE;
}
