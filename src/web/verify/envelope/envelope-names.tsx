import { Fragment, type ReactElement, type ReactNode } from "react";
import { instantOf, type Moment, momentOf } from "../../design/date-time.tsx";
import { Icon } from "../../design/icon.tsx";
import { Say } from "../../design/say.tsx";
import { Foreign, inert } from "../../shell/foreign.tsx";
import type { Language } from "../../shell/language.ts";
import { PICK } from "../drop-zone.tsx";
import type { EnvelopeFindings } from "./findings.ts";
import { actsOf, namesOf, type Signer, signersOf } from "./signers.ts";
import type { EnvelopeWords } from "./words.ts";

interface EnvelopeNamesProps {
  readonly words: EnvelopeWords;
  readonly language: Language;
  readonly findings: EnvelopeFindings;
}

/** Who signed, by the openings of a report; without a report, what was done and when, and where the names are. */
export function EnvelopeNames({ words, language, findings }: EnvelopeNamesProps): ReactElement | null {
  const { names } = words;
  const { kind, file } = findings;
  if (findings.completion === null) return null;
  const state = namesOf(findings);
  const signers = state === "proven" || state === "unnamed" ? signersOf(findings) : null;
  const heading =
    file === "different" ? names.ofOther : signers !== null && kind === "report_alone" ? names.ofReport : names.heading;
  return (
    <section className="card stack" aria-labelledby="names">
      <h2 id="names">{heading}</h2>
      {signers === null ? (
        <Nameless words={words} language={language} findings={findings} />
      ) : (
        <Named words={words} language={language} signers={signers} />
      )}
    </section>
  );
}

function Named({
  words: { names },
  language,
  signers,
}: Pick<EnvelopeNamesProps, "words" | "language"> & { readonly signers: readonly Signer[] }): ReactElement {
  const times = timesOf(
    signers.map(({ signedAt }) => signedAt),
    language,
  );
  return (
    <>
      <ol className="signers">
        {signers.map(({ id, action, name, email, methods, erased }, place) => (
          <li key={id}>
            {name === null ? <Person /> : <Icon tone="ok" />}
            <p>
              <span className="who">
                {name === null ? (
                  names[erased === null ? "unnamed" : erased === "proved" ? "erased" : "saidErased"]
                ) : (
                  <Foreign text={name} />
                )}
              </span>
              <br />
              {wordFor(names.actions, action)}
            </p>
            <p className="when">{times.shown[place]}</p>
            {methods.length > 0 && (
              <p className="how">
                {methods.map((method, index) => (
                  <Fragment key={method}>
                    {index > 0 && <br />}
                    {wordFor(names.methods, method)}
                    {email !== null && BY_MAIL.includes(method) && (
                      <>
                        {` ${names.to} `}
                        <Foreign text={email} />
                      </>
                    )}
                  </Fragment>
                ))}
              </p>
            )}
          </li>
        ))}
      </ol>
      <div className="from">
        <Icon tone="note" />
        <p>
          <Say text={names.text} />
          {times.zone !== null && ` ${names.times(times.zone)}`}
        </p>
      </div>
    </>
  );
}

function Nameless({ words: { names }, language, findings }: EnvelopeNamesProps): ReactElement {
  const state = namesOf(findings);
  const acts = actsOf(findings);
  const times = timesOf(
    acts.map(({ at }) => at),
    language,
  );
  const canAdd = state === "no_report" || state === "early";
  return (
    <>
      <div className={canAdd ? "from ask" : "from"}>
        <Icon tone="note" />
        <div>
          <p>
            <Say text={state === "no_report" ? names.inReport : state === "early" ? names.early : names.notVerified} />
          </p>
          {canAdd && (
            <p className="row">
              <button
                type="button"
                // Without the document, that is the first thing to add.
                className={findings.file === "none" ? "button" : "button main"}
                onClick={() => document.getElementById(PICK)?.click()}
              >
                {names.add}
              </button>
            </p>
          )}
        </div>
      </div>
      {acts.length > 0 && (
        <>
          <ol className="signers">
            {acts.map(({ action }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: participants have no ids here, and do not move.
              <li key={place}>
                <Person />
                <p className="who open">{wordFor(names.actions, action)}</p>
                <p className="when">{times.shown[place]}</p>
              </li>
            ))}
          </ol>
          <p className="small quiet">
            {names.unsigned}
            {times.zone !== null && ` ${names.times(times.zone)}`}
          </p>
        </>
      )}
    </>
  );
}

/** Methods whose step went to the e-mail address. */
const BY_MAIL: readonly string[] = ["email", "otp_email"];

/** A signed text may hold any word, also one that every object has. */
const wordFor = (words: Readonly<Record<string, string>>, said: string) =>
  (Object.hasOwn(words, said) ? words[said] : undefined) ?? inert(said);

/** Times in the zone of the visitor's device. The zone is said once, or beside each time where a change of the clock lies between two of them. */
function timesOf(
  written: readonly string[],
  language: Language,
): { readonly shown: readonly ReactNode[]; readonly zone: string | null } {
  const moments = written.map((text): readonly [Date, Moment] | null => {
    const instant = instantOf(text);
    return instant === null ? null : [instant, momentOf(instant, language)];
  });
  const zones = [...new Set(moments.flatMap((each) => (each === null ? [] : [each[1].zone])))];
  const shown = moments.map((each, place) => {
    if (each === null) return <Foreign key={written[place]} text={written[place] ?? ""} />;
    const [instant, { date, time, zone }] = each;
    return (
      <time key={written[place]} dateTime={instant.toISOString()}>
        {`${date} ${time}${zones.length > 1 ? ` (${zone})` : ""}`}
      </time>
    );
  });
  return { shown, zone: zones.length === 1 ? (zones[0] ?? null) : null };
}

/** In place of a result: somebody acted, and nothing says who. */
function Person(): ReactElement {
  return (
    <svg className="icon is-person" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round">
        <circle cx="12" cy="8" r="5" />
        <path d="M20 21a8 8 0 0 0-16 0" />
      </g>
    </svg>
  );
}
