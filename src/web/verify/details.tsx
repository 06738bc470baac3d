import type { ReactElement } from "react";
import { InUtc } from "../design/date-time.tsx";
import { Fact, FactList } from "../design/fact-list.tsx";
import { Foreign, inert } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import type { Findings, PageVerdict } from "./assess.ts";
import { textOf } from "./facts.ts";
import { areConfirmed, isInOrder, kindOf } from "./kinds.ts";
import type { VerifyWords } from "./words.ts";

/** Verdicts under which the signatures confirm what is shown. */
const SEALED: readonly PageVerdict[] = ["verified", "verified_here", "authentic", "attached_record"];
/** Verdicts under which only the service states what is shown. */
const CLAIMED: readonly PageVerdict[] = ["on_record", "name_needed"];

interface DetailsProps {
  readonly words: VerifyWords;
  readonly findings: Findings;
  readonly language: Language;
  /** Opens the section about keys. */
  readonly onKeys: () => void;
}

/** The content of the evidence, under a heading that says whether it is confirmed. */
export function Details({ words: all, findings, language, onKeys }: DetailsProps): ReactElement {
  const words = all.details;
  const { verdict, evidence, checks } = findings;
  // The file is another, and the proof is what it says.
  const isOfOther = kindOf(findings, true) === "different_file" && isInOrder(findings);
  const isSealed = SEALED.includes(verdict) || isOfOther;
  const text = (member: string) => textOf(evidence, member) ?? "—";
  const { label, file_size: size } = evidence.members;
  const name = textOf(evidence, "file_name");
  const keys = checks.find((check) => check.name === "keys");
  const confirmed =
    keys?.result === "passed" ? words.trusted : areConfirmed(keys?.reason) ? words.published : words.unconfirmed;
  const heading = isSealed
    ? words.sealed
    : CLAIMED.includes(verdict)
      ? words.claimed
      : verdict === "test"
        ? words.test
        : words.unverified;
  return (
    <section className="card details" data-sealed={isSealed} aria-labelledby="details">
      <h2 id="details">{heading}</h2>
      <FactList>
        <Fact term={words.organization}>
          <Foreign text={text("organization")} />
        </Fact>
        {name !== null && (
          <Fact term={words.fileName}>
            <Foreign text={name} />
          </Fact>
        )}
        <Fact term={words.digest}>
          <span className="print">{inert(text("sha256"))}</span>
        </Fact>
        <Fact term={words.code}>
          <Foreign className="code" text={text("verification_code")} />
        </Fact>
        <Fact term={words.label}>
          {label === null ? <span className="quiet">{words.noLabel}</span> : <Foreign text={text("label")} />}
        </Fact>
        {typeof size === "number" && (
          <Fact term={words.fileSize}>
            {words.bytes.replace("{count}", new Intl.NumberFormat(language).format(size))}
          </Fact>
        )}
        <Fact term={words.registeredAt}>
          <InUtc written={text("registered_at")} language={language} />
        </Fact>
        <Fact term={words.keys}>
          {evidence.signatures.map(({ keyId }) => (
            <div key={keyId} className="print">
              {inert(keyId)}
            </div>
          ))}
          <span className="small quiet">
            {confirmed}{" "}
            {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, which is opened on the way. */}
            <a href="#keys" onClick={onKeys}>
              {words.compareKeys}
            </a>
          </span>
        </Fact>
      </FactList>
    </section>
  );
}
