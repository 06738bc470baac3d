import type { ReactElement } from "react";
import { Say } from "../design/say.tsx";
import type { VerifyWords } from "./words.ts";

/** What a proof does not prove, beside the verdict, because that is where people would assume it. */
export function Limits({
  id = "limits",
  words,
  isTest,
}: {
  readonly id?: string;
  readonly words: VerifyWords["limits"];
  readonly isTest: boolean;
}): ReactElement {
  return (
    <section className="card limits" aria-labelledby={id}>
      <h2 id={id}>{isTest ? words.testHeading : words.heading}</h2>
      {isTest ? (
        <p>{words.testText}</p>
      ) : (
        <ul>
          {words.list.map((limit) => (
            <li key={limit}>
              <Say text={limit} with={{ icp: <span className="nowrap">ICP-Brasil</span> }} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
