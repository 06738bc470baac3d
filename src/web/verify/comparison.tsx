import type { ReactElement, ReactNode } from "react";
import type { Evidence } from "../../verifier/evidence.ts";
import { InUtc } from "../design/date-time.tsx";
import { Foreign } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import { textOf } from "./facts.ts";
import { knownMembers } from "./members.ts";
import type { Member, VerifyWords } from "./words.ts";

/** Shown even if they are equal, so that a visitor sees what still holds. */
const ALWAYS: readonly Member[] = ["registered_at", "organization"];
/** Members of text. Signatures and keys say nothing to a reader. */
const COMPARED = ["registered_at", "organization", "label", "file_name", "sha256", "verification_code"] as const;

interface ComparisonProps {
  readonly words: VerifyWords;
  readonly language: Language;
  /** What the visitor gave: a receipt, or evidence alone. */
  readonly document: string;
  readonly receipt: Evidence;
  readonly record: Evidence;
  readonly differing: readonly string[];
}

/** What the receipt claims, beside what was registered. */
export function Comparison(props: ComparisonProps): ReactElement {
  const { words, language, document, receipt, record, differing } = props;
  const { fact, recorded, differs } = words.compare;
  const [heading, claimed] = [words.compare.heading, words.compare.claimed].map((text) =>
    text.replace("{document}", document),
  );
  const members = knownMembers(differing);
  const rows = COMPARED.filter((member) => members.includes(member) || ALWAYS.includes(member))
    // What differs comes first.
    .sort((one, other) => Number(members.includes(other)) - Number(members.includes(one)));
  const value = (evidence: Evidence, member: (typeof COMPARED)[number]): ReactNode => {
    const text = textOf(evidence, member);
    if (text === null) return "—";
    return member === "registered_at" ? (
      <InUtc written={text} language={language} isWithZone />
    ) : (
      <Foreign text={text} />
    );
  };
  return (
    <section className="card" aria-labelledby="compare">
      <h2 id="compare">{heading}</h2>
      <table className="compare">
        <thead>
          <tr>
            <th scope="col">{fact}</th>
            <th scope="col">{claimed}</th>
            <th scope="col">{recorded}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((member) => {
            const isDifferent = members.includes(member);
            const said = value(receipt, member);
            return (
              <tr key={member} className={isDifferent ? "differs" : undefined} data-member={member}>
                <th scope="row">
                  {capital(words.members[member])} {isDifferent && <span className="tag bad">{differs}</span>}
                </th>
                <td data-label={claimed}>{isDifferent ? <s>{said}</s> : <span>{said}</span>}</td>
                <td data-label={recorded}>
                  <span>{value(record, member)}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
