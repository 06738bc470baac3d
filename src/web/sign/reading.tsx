import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import { preloadCertificate } from "./certificate-steps.tsx";
import { NoticeLine } from "./notice.tsx";
import { Phone } from "./phone.tsx";
import type { Step } from "./place.ts";
import { DocumentReader } from "./reader/document-reader.tsx";
import { FieldPanel } from "./reader/field-panel.tsx";
import { askedFields } from "./reader/fields.ts";
import { fillIn } from "./reader/fill-in.ts";
import { httpSource } from "./reader/source.ts";
import { requestDocument, type Signing } from "./service.ts";
import { Actions, Main, StepHeading } from "./step.tsx";
import { afterFields, type Flow, isQualified } from "./use-signing.ts";
import type { Role, SignWords } from "./words.ts";

interface ReadingProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly role: Role;
  readonly signing: Signing;
  readonly facts: SiteFacts;
  /** `read` or `fields`: the documents stay as they are from the one to the other. */
  readonly step: Step;
}

/** The documents, first to read, then to fill in. */
export function Reading({ flow, words, role, signing, facts, step }: ReadingProps): ReactElement {
  const { kept, update } = flow;
  const fields = signing.fields ?? [];
  const knownCpf = signing.participant.cpf;
  const values = kept.values ?? {};
  const documents = useMemo(() => signing.documents ?? [], [signing.documents]);
  const [page, setPage] = useState<{ readonly documentId: string; readonly number: number } | null>(null);
  const [isEarly, setEarly] = useState(false);

  // One function for the life of the page, as the reader asks for.
  const now = useRef(flow);
  now.current = flow;
  const source = useMemo(
    () => (documentId: string) =>
      httpSource(async (headers) => {
        const { taken, access } = now.current;
        const response = await taken(requestDocument(access(), documentId, headers));
        if (response === null) throw Object.assign(new Error("the document was refused"), { name: "Unreachable" });
        return response;
      }),
    [],
  );
  const isNew = signing.participant.status === "invited";
  useEffect(() => {
    if (isNew) void now.current.view();
  }, [isNew]);

  const needsCertificate = isQualified(signing);
  useEffect(() => {
    if (needsCertificate) preloadCertificate();
  }, [needsCertificate]);

  const isReading = step === "read";
  const count = askedFields(fields, values, knownCpf).length;
  const next = nextOf(words.read, role, kept.hasRead === true, isEarly, count);
  const goOn = () => {
    if (kept.hasRead !== true) return setEarly(true);
    flow.go(fields.length === 0 ? afterFields(signing) : "fields");
  };
  return (
    <Main className="reading">
      <div className="reading-pages">
        <StepHeading key={step}>{headingOf(words, step, documents.length)}</StepHeading>
        <DocumentReader
          documents={documents}
          source={source}
          fields={fields}
          values={values}
          knownCpf={knownCpf}
          current={isReading ? null : (kept.field ?? null)}
          onField={(field) => {
            update({ field });
            // A touch on a field asks to fill it in.
            if (isReading && kept.hasRead === true) flow.go("fields");
          }}
          onRead={() => {
            setEarly(false);
            update({ hasRead: true });
          }}
          onPage={(documentId, number) => setPage({ documentId, number })}
          words={words.reader}
        />
      </div>
      {isReading ? (
        <Actions label={words.actions}>
          <NoticeLine words={words} notice={flow.notice} signing={flow.signing} />
          {next !== null && (
            <p className="quiet" role={isEarly ? "alert" : undefined}>
              {next}
            </p>
          )}
          {role !== "observador" && (
            <button type="button" className="button main" aria-disabled={kept.hasRead !== true} onClick={goOn}>
              {words.read.done}
            </button>
          )}
          {/* The file of a certificate lies on one device, and its owner knows on which. */}
          {!needsCertificate && <Phone words={words.phone} access={flow.access()} facts={facts} />}
        </Actions>
      ) : (
        <div className="reading-fields">
          <NoticeLine words={words} notice={flow.notice} signing={flow.signing} />
          <FieldPanel
            fields={fields}
            documentIds={documents.map(({ id }) => id)}
            values={values}
            errors={Object.fromEntries(
              [...flow.refused].map(([key, most]) => [
                key,
                most !== null
                  ? fillIn(words.fields.tooLong, { most })
                  : fields.some(({ id, type }) => id === key && type === "calculado")
                    ? words.fields.notCalculated
                    : words.fields.refused,
              ]),
            )}
            knownCpf={knownCpf}
            current={kept.field ?? null}
            page={page}
            onValue={(key, value) => {
              // What is calculated from the value may be right now, too.
              flow.accept(
                key,
                ...fields.flatMap(({ id, formula }) => (formula?.includes(`{${key}}`) === true ? [id] : [])),
              );
              update({ values: { ...values, [key]: value } });
            }}
            onCurrent={(field) => update({ field: field ?? undefined })}
            onFile={flow.deliver}
            onDone={() => flow.go(afterFields(signing))}
            words={words.reader}
          />
        </div>
      )}
    </Main>
  );
}

/** What comes after reading; null where nothing is to be said. */
function nextOf(
  words: SignWords["read"],
  role: Role,
  hasRead: boolean,
  isEarly: boolean,
  count: number,
): string | null {
  if (role === "observador") return words.onlyRead;
  if (!hasRead) return isEarly ? words.notYet : words.toTheEnd;
  if (count === 0) return null;
  return count === 1 ? words.fieldsFollowOne : words.fieldsFollow.replace("{count}", String(count));
}

function headingOf({ read, fields }: SignWords, step: Step, count: number): string {
  if (step === "fields") return fields.heading;
  return count > 1 ? read.several.replace("{count}", String(count)) : read.heading;
}
