import { type ReactElement, useEffect, useRef, useState } from "react";
import { momentOf } from "../../design/date-time.tsx";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { LockIcon } from "../icons.tsx";
import { NoticeLine } from "../notice.tsx";
import { Actions, FieldError, Main, StepHeading } from "../step.tsx";
import type { StepProps } from "./common.ts";
import { EyeIcon, FileKeyIcon, OpenLockIcon, SentIcon } from "./icons.tsx";
import type { Wrong } from "./use-certificate.ts";

/** Where the guide shows how tokens sign. */
const GUIDE = "/guides/signatures#sign-with-a-certificate";
/** The longest password, in characters. */
const MOST_CHARACTERS = 1_024;

/** The file and its password. What is typed here stays in the field, which goes away with this step. */
export function OpenStep(props: StepProps): ReactElement {
  const { flow, all, words, signing, certificate } = props;
  const { file, wrong } = certificate;
  const [missing, setMissing] = useState<"file" | "password" | null>(null);
  const [isShown, show] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const isOfPassword = wrong?.name === "password";
  // After the heading has taken the focus: the password is what comes next.
  useEffect(() => {
    if (file !== null) field.current?.focus();
  }, [file]);
  useEffect(() => {
    if (wrong === null) return;
    const input = isOfPassword ? field.current : picker.current;
    input?.focus();
  }, [wrong, isOfPassword]);

  const submit = () => {
    const password = field.current?.value ?? "";
    // An empty password is one, where the participant says so a second time.
    const lacking = file === null ? "file" : password === "" && missing !== "password" ? "password" : null;
    setMissing(lacking);
    if (lacking === "file") return picker.current?.focus();
    if (lacking === "password") return field.current?.focus();
    void certificate.open(password);
  };
  const fileError =
    missing === "file" ? (
      words.open.noFile
    ) : wrong !== null && !isOfPassword ? (
      <Fault {...props} wrong={wrong} />
    ) : null;
  const passwordError =
    missing === "password" ? (
      words.open.noPassword
    ) : isOfPassword && wrong !== null ? (
      <Fault {...props} wrong={wrong} />
    ) : null;
  return (
    <form
      className="sign-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Main className="close">
        <div className="stack">
          <StepHeading>{words.open.heading}</StepHeading>
          <p>
            <Say text={words.open.asks} with={{ organization: <Foreign text={signing.organization} /> }} />
          </p>
        </div>
        <div className="field own-file">
          <b id="own-file-name">{words.open.file}</b>
          {fileError !== null && <FieldError id="own-file-error">{fileError}</FieldError>}
          {file === null && (
            <p className="quiet" id="own-file-hint">
              {words.open.hint}
            </p>
          )}
          <input
            ref={picker}
            id="own-file"
            className="out-of-sight"
            type="file"
            accept=".p12,.pfx,application/x-pkcs12"
            aria-labelledby="own-file-name own-file-choose"
            aria-invalid={fileError !== null}
            aria-describedby={
              fileError !== null ? "own-file-error" : file === null ? "own-file-hint" : "own-file-chosen"
            }
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? [];
              // The same file may be chosen again after it changed.
              currentTarget.value = "";
              if (chosen === undefined) return;
              setMissing(null);
              certificate.choose(chosen);
            }}
          />
          {file === null ? (
            <label className="button main" htmlFor="own-file" id="own-file-choose">
              <FileKeyIcon />
              {words.open.choose}
            </label>
          ) : (
            <div className={wrong !== null && !isOfPassword ? "own-chosen refused" : "own-chosen"}>
              <FileKeyIcon />
              <span id="own-file-chosen">
                <b>
                  <Foreign text={file.name} />
                </b>{" "}
                <span className="small">{words.open.size.replace("{size}", String(Math.ceil(file.size / 1024)))}</span>
              </span>
              <label className="button plain slim" htmlFor="own-file" id="own-file-choose">
                {words.open.change}
              </label>
            </div>
          )}
        </div>
        {file !== null && (
          <div className="field">
            <label htmlFor="own-password">{words.open.password}</label>
            {passwordError !== null && <FieldError id="own-password-error">{passwordError}</FieldError>}
            <div className="own-secret">
              <input
                ref={field}
                id="own-password"
                className="text"
                type={isShown ? "text" : "password"}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={MOST_CHARACTERS}
                aria-invalid={passwordError !== null}
                aria-describedby={passwordError === null ? undefined : "own-password-error"}
              />
              <button
                type="button"
                className="button plain"
                aria-label={words.open.show}
                aria-pressed={isShown}
                onClick={() => show(!isShown)}
              >
                <EyeIcon />
              </button>
            </div>
          </div>
        )}
        <ul className="own-stays">
          <li>
            <LockIcon />
            <p>
              <b>{words.open.stays}</b> {words.open.staysText}
            </p>
          </li>
          <li>
            <SentIcon />
            <p>
              <b>{words.open.sent}</b> {words.open.sentText}
            </p>
          </li>
        </ul>
        <details>
          <summary>{words.open.token}</summary>
          <p>
            <Say
              text={words.open.tokenText}
              with={{
                guide: (
                  <a href={GUIDE} target="_blank" rel="noreferrer">
                    {words.open.guide}
                  </a>
                ),
              }}
            />
          </p>
        </details>
      </Main>
      <Actions label={all.actions}>
        <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
        <button
          type="submit"
          className={file === null ? "button" : "button main"}
          aria-disabled={flow.isBusy || file === null}
        >
          <OpenLockIcon />
          {words.open.submit}
        </button>
        <p className="quiet">{words.open.notSigning}</p>
      </Actions>
    </form>
  );
}

/** What is wrong, and what to do. */
function Fault({ words, language, signing, certificate, wrong }: StepProps & { readonly wrong: Wrong }): ReactElement {
  const { name, cpf, date } = wrong;
  const { sentence, remedy } = words.faults[name];
  const says = name === "revoked" && date !== undefined ? words.revokedAt : sentence;
  return (
    <>
      <Say
        text={says}
        with={{
          cpf: <span className="nowrap">{cpf ?? "•••"}</span>,
          date: date === undefined ? "" : momentOf(date, language).date,
          file: <Foreign text={certificate.file?.name ?? ""} />,
        }}
      />{" "}
      <span className="own-remedy">
        <Say text={remedy} with={{ name: <Foreign text={signing.participant.name} /> }} />
        {name === "cpf" && signing.contact !== null && (
          <>
            {" "}
            <Say text={words.wrongCpf} />
          </>
        )}
      </span>
    </>
  );
}
