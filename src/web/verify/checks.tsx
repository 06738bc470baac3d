import type { ReactElement } from "react";
import type { Findings } from "./assess.ts";
import { Icon } from "./icon.tsx";
import type { VerifyWords } from "./words.ts";

interface ChecksProps {
  readonly words: VerifyWords;
  readonly findings: Findings;
}

/** Each check with its result and its reason. */
export function Checks({ words: { checks: words, summary }, findings }: ChecksProps): ReactElement {
  return (
    <section className="card" aria-labelledby="checks">
      <h2 id="checks">{words.heading}</h2>
      <ul className="checks">
        {findings.checks.map(({ name, result, reason }) => (
          <li key={name} className={result} data-check={name}>
            <Icon name={result} />
            <div>
              <p>
                <span className="strong">{words.names[name]}</span>{" "}
                <span className="result">{words.results[result]}</span>
              </p>
              <p className="reason">
                {words.reasons[reason]}
                {reason === "record_differs" && <> {words.differing(wordsFor(findings.differing, words, summary))}</>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Names of members in the words of the page. A forger's evidence may have members of any name. */
function wordsFor(
  members: readonly string[],
  { names, members: others }: VerifyWords["checks"],
  summary: VerifyWords["summary"],
): string[] {
  const known = new Map([
    ["organization", summary.organization],
    ["label", summary.label],
    ["file_name", summary.fileName],
    ["file_size", others.fileSize],
    ["registered_at", summary.registeredAt],
    ["sha256", summary.digest],
    ["verification_code", summary.code],
    ["key_id", names.keys],
    ["pq_key_id", names.keys],
    ["signatures", others.signatures],
  ]);
  return [...new Set(members.map((member) => known.get(member) ?? others.other))];
}
