import type { ReactElement } from "react";
import type { Refusal } from "../api/refusal.ts";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { factorWords } from "./words.ts";

/** Why a second factor was not changed. */
export function FactorRefusal({ refusal }: { readonly refusal: Refusal }): ReactElement {
  const { language } = usePlace();
  return (
    <RefusalNotice refusal={refusal}>
      {refusal.code === "conflict" ? factorWords[language].conflict : undefined}
    </RefusalNotice>
  );
}
