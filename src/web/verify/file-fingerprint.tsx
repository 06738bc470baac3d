import type { ReactElement } from "react";
import { Fact, FactList } from "../design/fact-list.tsx";
import type { VerifyWords } from "./words.ts";

/** The fingerprint of a file of which there is no proof, for people who want to compare it elsewhere. */
export function FileFingerprint({
  words,
  sha256,
}: {
  readonly words: VerifyWords["details"];
  readonly sha256: string;
}): ReactElement {
  return (
    <section className="card fingerprint">
      <h2 className="out-of-sight">{words.yourFile}</h2>
      <FactList>
        <Fact term={words.digest}>
          <span className="print">{sha256}</span>
        </Fact>
      </FactList>
    </section>
  );
}
