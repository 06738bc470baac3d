import "./factor.css";
import { type ReactElement, type SubmitEvent, useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "../../design/icon.tsx";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import type { Language } from "../../shell/language.ts";
import { NoticeLine } from "../notice.tsx";
import { Sender } from "../sender.tsx";
import { type FactorQuestion, readFactor, type Signing } from "../service.ts";
import { Actions, FieldError, Main, StepHeading } from "../step.tsx";
import { type FactorFault, type Flow, factorOf } from "../use-signing.ts";
import type { SignWords } from "../words.ts";
import { WORDS } from "./words.ts";

export interface FactorStepProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly language: Language;
  readonly signing: Signing;
}

/** The second factor of the session, after the code. Nothing of it is kept, not even in this tab. */
export function FactorStep(props: FactorStepProps): ReactElement {
  switch (factorOf(props.signing)) {
    case "kba":
      return <Questions {...props} />;
    case "identity_match":
      return <Comparison {...props} />;
    default:
      return <Cpf {...props} />;
  }
}

interface SubmitProps extends FactorStepProps {
  readonly label: string;
  /** A button that leads back. */
  readonly before?: ReactElement | null;
}

/** What stands below each of them. */
function Submit({ flow, words, signing, label, before = null }: SubmitProps): ReactElement {
  return (
    <>
      <NoticeLine words={words} notice={flow.notice} signing={signing} />
      <div className="factor-actions">
        {before}
        <button type="submit" className="button main" aria-disabled={flow.isBusy}>
          {flow.isBusy ? words.act.busy : label}
        </button>
      </div>
    </>
  );
}

function Cpf(props: FactorStepProps): ReactElement {
  const { flow, words: all, language, signing } = props;
  const { cpf: words, submit: label } = WORDS[language];
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<FactorFault | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const digits = typed.replace(/\D/g, "");
    setFault(null);
    const next: FactorFault | null =
      digits.length === 11 ? await flow.giveFactor({ cpf: digits }) : { kind: "malformed" };
    setFault(next);
    if (next === null) return;
    field.current?.focus();
    field.current?.select();
  };
  const error =
    fault === null
      ? null
      : fault.kind === "malformed"
        ? words.malformed
        : (fault.tries === 1 ? words.wrongOne : words.wrong).replace("{tries}", String(fault.tries));
  return (
    <form className="sign-form" onSubmit={(event) => void submit(event)} noValidate>
      <Main>
        <div className="stack">
          <StepHeading>{words.heading}</StepHeading>
          <p>
            <Say text={words.text} with={{ organization: <Foreign text={signing.organization} /> }} />
          </p>
        </div>
        <div className="field">
          <label htmlFor="cpf">{words.label}</label>
          <input
            id="cpf"
            className="text"
            ref={field}
            inputMode="numeric"
            autoComplete="off"
            maxLength={14}
            required
            value={typed}
            aria-invalid={error !== null}
            aria-describedby={error === null ? "cpf-hint" : "cpf-error cpf-hint"}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {error !== null && <FieldError id="cpf-error">{error}</FieldError>}
          <p className="quiet" id="cpf-hint">
            {words.hint}
          </p>
        </div>
        <details>
          <summary>{words.help}</summary>
          <p>
            <Say text={words.helpText} with={{ sender: <Sender words={all} signing={signing} /> }} />
          </p>
        </details>
      </Main>
      <Actions label={all.actions}>
        <Submit {...props} label={label} />
      </Actions>
    </form>
  );
}

function Comparison(props: FactorStepProps): ReactElement {
  const { flow, words: all, language, signing } = props;
  const { match: words, submit: label } = WORDS[language];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void flow.giveFactor({});
  };
  return (
    <form className="sign-form" onSubmit={submit} noValidate>
      <Main>
        <div className="stack">
          <StepHeading>{words.heading}</StepHeading>
          <p>
            <Say text={words.text} with={{ organization: <Foreign text={signing.organization} /> }} />
          </p>
          <p className="quiet">{words.once}</p>
        </div>
      </Main>
      <Actions label={all.actions}>
        <Submit {...props} label={label} />
      </Actions>
    </form>
  );
}

interface Round {
  readonly isLast: boolean;
  readonly questions: readonly FactorQuestion[];
}

/** One question at a time, so that each fits a phone. */
function Questions(props: FactorStepProps): ReactElement {
  const { flow, words: all, language, signing } = props;
  const { kba: words, submit: label } = WORDS[language];
  const { access, asking, refuse } = flow;
  const [round, setRound] = useState<Round | null>(null);
  const [place, setPlace] = useState(0);
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const [isMissing, setMissing] = useState(false);
  const load = useCallback(
    () =>
      asking(async () => {
        const answer = await readFactor(access());
        if (!answer.ok) return refuse(answer.refusal);
        const { questions, tries_left } = answer.body;
        setAnswers({});
        setPlace(0);
        setRound({ isLast: tries_left === 1, questions: questions ?? [] });
      }),
    [access, asking, refuse],
  );
  const hasLoaded = useRef(false);
  useEffect(() => {
    if (hasLoaded.current) return;
    hasLoaded.current = true;
    void load();
  }, [load]);
  const question = round?.questions[place];
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (round === null || question === undefined) return void load();
    const isAnswered = answers[question.id] !== undefined;
    setMissing(!isAnswered);
    if (!isAnswered) return;
    if (place + 1 < round.questions.length) return setPlace(place + 1);
    // Others follow, where these were not enough.
    if ((await flow.giveFactor({ answers })) !== null) void load();
  };
  return (
    <form className="sign-form" onSubmit={(event) => void submit(event)} noValidate>
      <Main>
        <div className="stack">
          <StepHeading key={round?.isLast === true ? "last" : "first"}>
            {round?.isLast === true ? words.lastHeading : words.heading}
          </StepHeading>
          {round?.isLast === true && (
            <div className="sign-notice">
              <Icon tone="warn" />
              <p>{words.last}</p>
            </div>
          )}
        </div>
        {question !== undefined && (
          <fieldset className="choices" key={question.id} aria-describedby={isMissing ? "choice-error" : undefined}>
            <legend>
              <Foreign text={question.text} />
            </legend>
            {question.choices.map((choice) => (
              <label key={choice}>
                <input
                  type="radio"
                  name={question.id}
                  checked={answers[question.id] === choice}
                  onChange={() => {
                    setMissing(false);
                    setAnswers({ ...answers, [question.id]: choice });
                  }}
                />
                <Foreign text={choice} />
              </label>
            ))}
            {isMissing && <FieldError id="choice-error">{words.missing}</FieldError>}
          </fieldset>
        )}
        <details>
          <summary>{words.source}</summary>
          <p>
            <Say text={words.sourceText} with={{ organization: <Foreign text={signing.organization} /> }} />
          </p>
        </details>
      </Main>
      <Actions label={all.actions}>
        {round !== null && question !== undefined && (
          <p className="quiet">
            {words.place.replace("{place}", String(place + 1)).replace("{of}", String(round.questions.length))}
          </p>
        )}
        <Submit
          {...props}
          label={round === null ? words.again : place + 1 < round.questions.length ? words.next : label}
          before={
            place > 0 ? (
              <button type="button" className="button" onClick={() => setPlace(place - 1)}>
                {words.before}
              </button>
            ) : null
          }
        />
      </Actions>
    </form>
  );
}
