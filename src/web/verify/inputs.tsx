import type { ReactElement, ReactNode } from "react";
import { FileRow } from "../design/file-row.tsx";
import type { Tone } from "../design/icon.tsx";
import { CodeForm } from "../shell/code-form.tsx";
import type { ShellWords } from "../shell/words.ts";
import type { Findings, PageCheck } from "./assess.ts";
import { NO_CODE } from "./code-in-address.ts";
import { DropZone } from "./drop-zone.tsx";
import { codeOf, ownName } from "./facts.ts";
import { areConfirmed } from "./kinds.ts";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface InputsProps {
  readonly words: VerifyWords;
  readonly shell: ShellWords;
  readonly verification: Verification;
  readonly isOver: boolean;
  /** The code that no proof has. It stays in the field, to be corrected. */
  readonly wrongCode: string | null;
  readonly asksForCode: boolean;
  readonly acting: (action: () => void) => () => void;
  readonly onCode: (code: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onStartOver: () => void;
}

/** As wide as a code. */
const BLANK_CODE = "\u00a0".repeat(14);

/** What the visitor gave, and what else can be given. */
export function Inputs(props: InputsProps): ReactElement {
  const { words, shell, verification, isOver, wrongCode, asksForCode, acting } = props;
  const { isOpening, file, receipt, removeFile, removeReceipt } = verification;
  const code = codeOf(verification);
  // Until the script reads the address, its place is kept: the button beside it does not move.
  const shownCode = isOpening ? BLANK_CODE : code === NO_CODE ? null : code;
  const own = ownName(verification);
  const hasAny = file.status !== "none" || receipt !== null;
  const row = (name: string, [tone, word]: Outcome, onRemove: () => void): ReactNode => (
    <FileRow name={name} tone={tone} word={word} remove={words.actions.remove} onRemove={acting(onRemove)} />
  );
  return (
    <section className="card inputs" aria-labelledby="inputs">
      <h2 id="inputs">{words.inputs.heading}</h2>
      {asksForCode && (
        <CodeForm words={shell.code} onCode={props.onCode} {...(wrongCode === null ? {} : { wrongCode })} />
      )}
      <DropZone
        heading={hasAny ? words.inputs.dropOther : words.inputs.dropYours}
        text={words.inputs.privacy}
        choose={words.inputs.choose}
        isFirst={!hasAny && !asksForCode}
        isOver={isOver}
        onFiles={props.onFiles}
      />
      {own !== null && file.status !== "hashing" && row(own, fileOutcome(verification, words), removeFile)}
      {receipt !== null && row(receipt.name, receiptOutcome(verification, words), removeReceipt)}
      <p className="row">
        {shownCode !== null && !asksForCode && (
          <>
            <span className="quiet small">{words.inputs.code}</span> <span className="code">{shownCode}</span>{" "}
          </>
        )}
        {(!asksForCode || hasAny) && (
          <button type="button" className="button plain slim" onClick={props.onStartOver}>
            {words.actions.otherCode}
          </button>
        )}
      </p>
    </section>
  );
}

type Outcome = readonly [Exclude<Tone, "note">, string];

const find = (findings: Findings | null, name: PageCheck["name"]) =>
  findings?.checks.find((each) => each.name === name);

function fileOutcome({ file, findings, lookup }: Verification, { results }: VerifyWords): Outcome {
  if (file.status === "unreadable") return ["warn", results.unread];
  if (findings === null && lookup.status === "unknown") return ["warn", results.notOnRecord];
  const result = find(findings, "file")?.result;
  return result === "passed" ? ["ok", results.ok] : result === "failed" ? ["bad", results.bad] : ["info", results.info];
}

function receiptOutcome({ findings }: Verification, { results }: VerifyWords): Outcome {
  const checks = (["evidence", "ed25519", "ml_dsa_87", "keys"] as const).map((name) => find(findings, name));
  const record = find(findings, "record");
  if (checks.slice(0, 3).some((check) => check?.result === "failed") || record?.reason === "record_differs")
    return ["bad", results.altered];
  if (checks[3]?.result === "failed" || record?.result === "failed") return ["bad", results.bad];
  if (findings?.isTest) return ["warn", results.test];
  const areValid = checks.slice(0, 3).every((check) => check?.result === "passed");
  if (record?.reason === "no_record") return ["warn", results.notOnRecord];
  if (areValid && (checks[3]?.result === "passed" || areConfirmed(checks[3]?.reason))) return ["ok", results.ok];
  return ["info", results.info];
}
