import type { ReactElement } from "react";
import { FileRow } from "../../design/file-row.tsx";
import { DropZone } from "../drop-zone.tsx";
import type { Verification } from "../use-verification.ts";
import type { VerifyWords } from "../words.ts";
import type { EnvelopeFindings } from "./findings.ts";
import type { EnvelopeWords } from "./words.ts";

interface EnvelopeInputsProps {
  readonly all: VerifyWords;
  readonly words: EnvelopeWords;
  readonly verification: Verification;
  readonly findings: EnvelopeFindings;
  readonly isOver: boolean;
  readonly act: (action: () => void) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** What the visitor gave, and what else can be given. */
export function EnvelopeInputs(props: EnvelopeInputsProps): ReactElement {
  const { all, words, verification, findings, isOver, act, onFiles } = props;
  const { file, report, removeFile, removeReceipt, startOver } = verification;
  const { results } = all;
  const hasFile = file.status === "hashed";
  const hasAny = hasFile || report !== null;
  // What is missing to know more.
  const dropping = !hasAny
    ? all.inputs.dropYours
    : report === null && findings.completion !== null && findings.file !== "different"
      ? words.inputs.dropReport
      : !hasFile && report?.files === undefined
        ? words.inputs.dropDocument
        : words.inputs.dropOther;
  const matches = findings.file === "final" || findings.file === "original";
  const outcome =
    findings.file === "different"
      ? (["bad", results.bad] as const)
      : matches && !findings.isTest
        ? (["ok", results.ok] as const)
        : findings.isTest
          ? (["warn", results.test] as const)
          : (["info", results.info] as const);
  const ofReport = ["report_altered", "dossier_altered", "foreign_keys", "other_code"].includes(findings.kind)
    ? (["bad", findings.kind.endsWith("_altered") ? results.altered : results.bad] as const)
    : findings.kind === "no_record"
      ? (["warn", results.notOnRecord] as const)
      : findings.isTest
        ? (["warn", results.test] as const)
        : findings.match === "equal" || findings.kind === "ended"
          ? (["ok", results.ok] as const)
          : (["info", results.info] as const);
  return (
    <section className="card inputs" aria-labelledby="inputs">
      <h2 id="inputs">{all.inputs.heading}</h2>
      {file.status === "hashed" && (
        <FileRow
          name={file.file.name}
          tone={outcome[0]}
          word={outcome[1]}
          remove={all.actions.remove}
          onRemove={() => act(removeFile)}
        />
      )}
      {report !== null && (
        <FileRow
          name={report.name}
          tone={ofReport[0]}
          word={ofReport[1]}
          remove={all.actions.remove}
          onRemove={() => act(removeReceipt)}
        />
      )}
      <DropZone
        heading={dropping}
        text={all.inputs.privacy}
        choose={all.inputs.choose}
        isFirst={!hasAny}
        isOver={isOver}
        onFiles={onFiles}
      />
      <p className="row">
        {findings.code !== null && (
          <>
            <span className="quiet small">{all.inputs.code}</span> <span className="code">{findings.code}</span>{" "}
          </>
        )}
        <button type="button" className="button plain slim" onClick={() => act(startOver)}>
          {all.actions.otherCode}
        </button>
      </p>
    </section>
  );
}
