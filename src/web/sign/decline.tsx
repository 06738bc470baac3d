import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { Say } from "../design/say.tsx";
import { Foreign } from "../shell/foreign.tsx";
import { Sender } from "./sender.tsx";
import type { Signing } from "./service.ts";
import { FieldError } from "./step.tsx";
import { type Flow, isQualified } from "./use-signing.ts";
import type { SignWords } from "./words.ts";

/** As long as the API takes it. */
const MOST_CHARACTERS = 1_000;

interface Declining {
  readonly isOpen: boolean;
  readonly reason: string;
  readonly open: () => void;
  readonly close: () => void;
  readonly type: (reason: string) => void;
  readonly submit: () => Promise<void>;
}

/** The way out, from every step. Who has not signed in yet does so first, and is then asked again. */
export function useDeclining(flow: Flow): Declining {
  const [isOpen, setOpen] = useState(false);
  const { shown, kept, update } = flow;
  const step = shown.kind === "step" ? shown.step : null;
  const isAwaited = kept.isDeclining === true && kept.token !== undefined && step !== null && step !== "code";
  useEffect(() => {
    if (isAwaited) setOpen(true);
  }, [isAwaited]);
  // Without a step there is nothing to decline, and in the step of the code the code comes first.
  const isAway = step === null || (step === "code" && kept.isDeclining === true);
  return {
    isOpen: isOpen && !isAway,
    reason: kept.reason ?? "",
    open: () => setOpen(true),
    close: () => {
      setOpen(false);
      update({ isDeclining: undefined });
    },
    type: (reason) => update({ reason }),
    submit: async () => {
      const needsNoCode = flow.signing !== null && isQualified(flow.signing);
      if (kept.token === undefined && needsNoCode && (await flow.startSession()) !== true) return;
      update({ isDeclining: true });
      if (kept.token === undefined && !needsNoCode) {
        setOpen(false);
        await flow.askForCode();
      } else await flow.turnDown(kept.reason ?? "");
    },
  };
}

interface DeclineDialogProps {
  readonly words: SignWords;
  readonly signing: Signing;
  readonly declining: Declining;
  readonly isSignedIn: boolean;
  readonly isBusy: boolean;
  /** What went wrong. */
  readonly children: ReactNode;
}

export function DeclineDialog(props: DeclineDialogProps): ReactElement {
  const { words: all, signing, declining, isSignedIn, isBusy, children } = props;
  const words = all.declining;
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isMissing, setMissing] = useState(false);
  const { isOpen } = declining;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const submit = () => {
    const isEmpty = declining.reason.trim() === "";
    setMissing(isEmpty);
    if (isEmpty) field.current?.focus();
    else void declining.submit();
  };
  return (
    <dialog ref={dialog} className="sign-dialog" aria-labelledby="declining" onCancel={declining.close}>
      {isOpen && (
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <h2 id="declining">{words.heading}</h2>
          <p>
            <Say
              text={signing.single_signer ? words.textOfOne : words.text}
              with={{ organization: <Foreign text={signing.organization} /> }}
            />
          </p>
          {!isSignedIn && <p>{words.signInFirst}</p>}
          <div className="field">
            <label htmlFor="reason">{words.label}</label>
            {isMissing && <FieldError id="reason-error">{words.missing}</FieldError>}
            <textarea
              id="reason"
              ref={field}
              rows={3}
              maxLength={MOST_CHARACTERS}
              dir="auto"
              value={declining.reason}
              aria-invalid={isMissing}
              aria-describedby={isMissing ? "reason-error reason-hint" : "reason-hint"}
              onChange={({ currentTarget }) => {
                setMissing(false);
                declining.type(currentTarget.value);
              }}
            />
            <p className="quiet" id="reason-hint">
              <Say text={words.hint} with={{ sender: <Sender words={all} signing={signing} /> }} />
            </p>
          </div>
          {children}
          <button type="button" className="button" onClick={declining.close}>
            {words.cancel}
          </button>
          <button type="submit" className="button refuse" aria-disabled={isBusy}>
            {isBusy ? all.act.busy : isSignedIn ? words.submit : words.getCode}
          </button>
        </form>
      )}
    </dialog>
  );
}
