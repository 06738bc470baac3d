import { type ReactElement, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../design/icon.tsx";
import type { AttachmentFault, SendFile } from "./attachment.ts";
import { fieldName } from "./field-name.ts";
import type { Field } from "./fields.ts";
import { fillIn } from "./fill-in.ts";
import { Sign } from "./signs.tsx";
import type { ReaderWords } from "./words.ts";

interface AttachmentFieldProps {
  readonly field: Field;
  /** Name of the file that was delivered; empty without one. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly error: string | null;
  readonly input: { current: HTMLElement | null };
  readonly words: ReaderWords;
  readonly onFile: SendFile;
  readonly onSending: (isSending: boolean) => void;
}

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "sending"; readonly file: File; readonly sent: number; readonly stop: AbortController }
  | { readonly kind: "refused"; readonly file: File; readonly fault: AttachmentFault };

/** What the file picker offers. The server looks at the first bytes. */
const TYPES = ".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg";

/** A field that asks for a file. It is sent when it is chosen, and may be changed until the act. */
export function AttachmentField(props: AttachmentFieldProps): ReactElement {
  const { field, name, isRequired, error, input, words, onFile, onSending } = props;
  const { attachment: said, optional } = words.panel;
  const id = useId();
  const [state, setState] = useState<State>({ kind: "idle" });
  const now = useRef(state);
  now.current = state;
  useEffect(
    () => () => {
      if (now.current.kind === "sending") now.current.stop.abort();
    },
    [],
  );

  const send = async (file: File) => {
    const stop = new AbortController();
    setState({ kind: "sending", file, sent: 0, stop });
    onSending(true);
    const onProgress = (sent: number) => setState({ kind: "sending", file, sent, stop });
    const fault = await onFile(field.id, file, { signal: stop.signal, onProgress });
    onSending(false);
    setState(fault === null || stop.signal.aborted ? { kind: "idle" } : { kind: "refused", file, fault });
  };
  const size = (bytes: number) => megabytes(bytes, words);
  const refused =
    state.kind === "refused"
      ? fillIn(said.faults[state.fault], { file: state.file.name, size: size(state.file.size) })
      : null;
  const wrong = refused ?? error;
  const describedBy = [wrong === null ? "" : `${id}fault`, `${id}hint`].filter(Boolean).join(" ");
  const label = name !== "" ? said.change : wrong === null ? said.choose : said.another;
  const delivered = field.attachment?.size;
  return (
    <div className="field attachment">
      <b id={`${id}name`}>{fieldName(field, words)}</b>
      {wrong === null ? null : (
        <p id={`${id}fault`} className="field-error" role="alert">
          <Icon tone="bad" />
          <span>{wrong}</span>
        </p>
      )}
      {state.kind === "sending" ? (
        <div className="file">
          <Sign name="file" />
          <span>
            <b>
              <bdi>{state.file.name}</bdi>
            </b>
            <span className="small" role="status">
              {fillIn(said.sending, { sent: size(state.sent), size: size(state.file.size) })}
            </span>
          </span>
          <button type="button" className="button plain" onClick={() => state.stop.abort()}>
            {said.cancel}
          </button>
          <progress max={state.file.size} value={state.sent} aria-labelledby={`${id}name`} />
        </div>
      ) : name === "" ? null : (
        <div className="file done">
          <Icon tone="ok" />
          <span>
            <b>
              <bdi>{name}</bdi>
            </b>
            <span className="small" role="status">
              {delivered === undefined ? said.ready : fillIn(said.readyOfSize, { size: size(delivered) })}
            </span>
          </span>
        </div>
      )}
      <p id={`${id}hint`} className="small quiet">
        {state.kind === "refused"
          ? said.help[state.fault]
          : name === ""
            ? [isRequired ? "" : optional, said.hint].filter(Boolean).join(" ")
            : said.note}
      </p>
      {state.kind !== "sending" && (
        <>
          <input
            id={id}
            ref={(element) => {
              input.current = element;
            }}
            className="out-of-sight"
            type="file"
            accept={TYPES}
            aria-labelledby={`${id}name ${id}choose`}
            aria-describedby={describedBy}
            aria-invalid={wrong !== null}
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? [];
              // The same file may be chosen again after it changed.
              currentTarget.value = "";
              if (chosen !== undefined) void send(chosen);
            }}
          />
          <label className={name === "" ? "button main" : "button"} htmlFor={id} id={`${id}choose`}>
            <Sign name="file" />
            {label}
          </label>
        </>
      )}
      {state.kind === "refused" && (state.fault === "no_network" || state.fault === "busy") && (
        <button type="button" className="button" onClick={() => void send(state.file)}>
          {said.again}
        </button>
      )}
    </div>
  );
}

/** As people count them: a file that is not empty has at least a tenth. */
const megabytes = (bytes: number, { decimal }: ReaderWords): string =>
  Math.max(bytes === 0 ? 0 : 0.1, bytes / 1_000_000)
    .toFixed(1)
    .replace(".", decimal);
