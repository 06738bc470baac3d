import type { ReactElement } from "react";
import { Fact } from "../design/fact-list.tsx";
import { Foreign } from "../shell/foreign.tsx";
import type { Signing } from "./service.ts";
import type { SignWords } from "./words.ts";

interface FingerprintsProps {
  readonly words: SignWords["done"];
  readonly signing: Signing;
}

/** By which the envelope and its documents are known elsewhere: the code, and the SHA-256 of each file that is downloaded here. */
export function Fingerprints({ words, signing }: FingerprintsProps): ReactElement {
  const { documents, verification_code: code } = signing;
  return (
    <>
      {code !== null && (
        <Fact term={words.code}>
          <a className="mono unbroken" href={`/verify/${code}`}>
            {code}
          </a>
        </Fact>
      )}
      <Fact term={words.documents}>
        {documents?.map(({ id, filename, sha256, final_sha256: sealed }) => (
          <div key={id}>
            <p>
              <Foreign text={filename} />
            </p>
            <p className="quiet">
              {words.fingerprint} <span className="mono break">{sealed ?? sha256}</span>
            </p>
          </div>
        ))}
      </Fact>
    </>
  );
}
