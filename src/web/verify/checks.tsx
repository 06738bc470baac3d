import type { VNode } from "preact";
import { Icon } from "../shell/icon.tsx";
import type { Findings } from "./assess.ts";
import type { VerifyWords } from "./words.ts";

interface ChecksProps {
  readonly words: VerifyWords["checks"];
  readonly findings: Findings;
}

/** Each check with its result and the reason. */
export function Checks({ words, findings }: ChecksProps): VNode {
  return (
    <section class="card" aria-labelledby="checks">
      <h2 id="checks">{words.heading}</h2>
      <ul class="checks">
        {findings.checks.map(({ name, result, reason }) => (
          <li key={name} class={result} data-check={name}>
            <Icon name={result} />
            <div>
              <p>
                <span class="strong">{words.names[name]}</span> <span class="result">{words.results[result]}</span>
              </p>
              <p class="reason">
                {words.reasons[reason]}
                {reason === "record_differs" && <> {words.differing(findings.differing.join(", "))}</>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
