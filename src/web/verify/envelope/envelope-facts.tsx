import type { ReactElement } from "react";
import { documentsOf } from "../../../verifier/verify-envelope.ts";
import { InUtc } from "../../design/date-time.tsx";
import { Fact, FactList } from "../../design/fact-list.tsx";
import { Foreign, inert } from "../../shell/foreign.tsx";
import type { Language } from "../../shell/language.ts";
import { actOf } from "./act-of.ts";
import type { EnvelopeFindings } from "./findings.ts";
import type { EnvelopeWords } from "./words.ts";

interface EnvelopeFactsProps {
  readonly words: EnvelopeWords;
  readonly language: Language;
  readonly findings: EnvelopeFindings;
}

/** What is on record: organization, state, times, roles, fingerprints. Neither title nor names. */
export function EnvelopeFacts({ words, language, findings }: EnvelopeFactsProps): ReactElement | null {
  const { answer, completion, code, end, kind } = findings;
  const { details } = words;
  const organization = completion?.members["organization"] ?? answer?.organization;
  const documents = completion === null ? (answer?.documents ?? []) : documentsOf(completion);
  const completedAt = completion?.members["completed_at"] ?? answer?.completed_at;
  const instant = (written: unknown) =>
    typeof written === "string" ? <InUtc written={written} language={language} /> : "—";
  // Beside what is signed, the rest is only what the service says.
  const unsigned = completion !== null && <span className="small quiet"> {details.unsigned}</span>;
  return (
    <section className="card details" aria-labelledby="details">
      <h2 id="details">{details.heading}</h2>
      {answer !== null && completion === null && kind !== "ended" && (
        <p className="small quiet">{details.noneSigned}</p>
      )}
      <FactList>
        <Fact term={details.organization}>
          <Foreign text={typeof organization === "string" ? organization : "—"} />
        </Fact>
        {answer !== null && (
          <>
            <Fact term={details.status}>{words.statuses[answer.status] ?? inert(answer.status)}</Fact>
            <Fact term={details.sentAt}>
              {instant(answer.sent_at)}
              {unsigned}
            </Fact>
          </>
        )}
        {answer === null && end !== null && (
          <>
            <Fact term={details.status}>{words.statuses[end.status]}</Fact>
            <Fact term={details.sentAt}>{instant(end.sentAt)}</Fact>
          </>
        )}
        {typeof completedAt === "string" && <Fact term={details.completedAt}>{instant(completedAt)}</Fact>}
        {completion?.members["timestamp"] === "valid" && <Fact term={details.timeStamps}>{details.stamped}</Fact>}
        {code !== null && (
          <Fact term={details.code}>
            <Foreign className="code" text={code} />
          </Fact>
        )}
        {answer !== null && (
          <Fact term={details.participants}>
            <ul className="list">
              {answer.participants.map((participant, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: participants have no ids here, and do not move.
                <li key={place}>
                  {words.roles[participant.role] ?? inert(participant.role)}:{" "}
                  {actOf(words.acts, participant) ?? inert(participant.status)}
                  {participant.completed_at !== null && (
                    <>
                      , <InUtc written={participant.completed_at} language={language} isWithZone />
                    </>
                  )}
                </li>
              ))}
            </ul>
            {unsigned}
          </Fact>
        )}
        {documents.length > 0 && (
          <Fact term={details.documents}>
            {documents.map(({ sha256, final_sha256 }) => (
              <div key={sha256}>
                {typeof final_sha256 === "string" && (
                  <>
                    <span className="print">{inert(final_sha256)}</span>{" "}
                    <span className="small quiet">{details.final}</span>{" "}
                  </>
                )}
                <span className="print">{inert(sha256)}</span> <span className="small quiet">{details.original}</span>
              </div>
            ))}
          </Fact>
        )}
      </FactList>
    </section>
  );
}
