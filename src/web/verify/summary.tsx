import type { ReactElement, ReactNode } from "react";
import type { JsonValue } from "../../verifier/canonical-json.ts";
import { Foreign, inert } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import type { Findings, PageVerdict } from "./assess.ts";
import type { VerifyWords } from "./words.ts";

/** Verdicts under which the signatures confirm what is shown. */
const SEALED: readonly PageVerdict[] = ["verified", "verified_here", "authentic", "attached_record"];
/** Verdicts under which only the service states what is shown. */
const CLAIMED: readonly PageVerdict[] = ["on_record", "name_needed"];

interface SummaryProps {
  readonly words: VerifyWords["summary"];
  readonly findings: Findings;
  readonly language: Language;
}

/** The content of the evidence, under a heading that says whether it is confirmed. */
export function Summary({ words, findings, language }: SummaryProps): ReactElement {
  const { verdict, evidence } = findings;
  const { organization, label, file_name, registered_at, sha256, verification_code } = evidence.members;
  const isSealed = SEALED.includes(verdict);
  return (
    <section className={`card summary ${isSealed ? "sealed" : "unsealed"} ${verdict}`} aria-labelledby="summary">
      <h2 id="summary">{isSealed ? words.verified : CLAIMED.includes(verdict) ? words.claimed : words.unverified}</h2>
      <dl className="facts">
        <Fact term={words.organization}>
          <Foreign className="strong" text={asText(organization)} />
        </Fact>
        <Fact term={words.label}>
          {label === null ? <span className="hint">{words.noLabel}</span> : <Foreign text={asText(label)} />}
        </Fact>
        {typeof file_name === "string" && (
          <Fact term={words.fileName}>
            <Foreign text={file_name} />
          </Fact>
        )}
        <Fact term={words.registeredAt}>
          <Instant written={asText(registered_at)} language={language} />
        </Fact>
        <Fact term={words.digest}>
          <code className="wrap">{inert(asText(sha256))}</code>
        </Fact>
        <Fact term={words.code}>
          <Foreign className="code" text={asText(verification_code)} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The instant in the visitor's time zone, and in UTC as it was signed. */
function Instant({ written, language }: { readonly written: string; readonly language: Language }): ReactElement {
  const instant = new Date(written.replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(instant.getTime())) return <Foreign text={written} />;
  const local = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long" }).format(instant);
  return (
    <time dateTime={written}>
      {local}
      <Foreign className="hint utc" text={written.replace("T", " ").replace(/\+00:00$/, " UTC")} />
    </time>
  );
}

/** Invalid evidence may hold any value; it is only ever shown as text. */
function asText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "—";
}
