import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import type { PlatformKey } from "../../verifier/keys.ts";
import { momentOf } from "../design/date-time.tsx";
import { Chevron } from "../design/icon.tsx";
import type { Language } from "../shell/language.ts";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface KeysProps {
  readonly words: VerifyWords["keys"];
  readonly verification: Verification;
  readonly language: Language;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** Runs what the visitor does; the result then takes the focus. */
  readonly act: (action: () => void) => void;
}

/** Lets the visitor choose which keys to trust. Keys that a server publishes prove nothing against that server. */
export function Keys({ words, verification, language, isOpen, onOpen, act }: KeysProps): ReactElement {
  const { findings, published, pasted, remembered, remember, forget, removePasted } = verification;
  const [isRefused, setRefused] = useState(false);
  const used = new Set(findings?.evidence.signatures.map(({ keyId }) => keyId));
  const trusted = new Set([...pasted, ...(remembered?.keys ?? [])].map(({ keyId }) => keyId));
  const list = (keys: readonly PlatformKey[]) => <KeyList words={words} keys={keys} used={used} trusted={trusted} />;
  const keep = () => {
    const isKept = remember();
    setRefused(!isKept);
    if (isKept) act(() => {});
  };
  return (
    <details id="keys" className="card keys" open={isOpen} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>
        <h2>{words.heading}</h2>
        <Chevron />
      </summary>
      <div className="stack">
        <p>{words.why}</p>
        <h3>{words.published}</h3>
        {published === null ? <p className="quiet">{words.none}</p> : list(published)}
        {published !== null && (
          <p className="row">
            <button type="button" className="button slim" onClick={keep}>
              {words.remember}
            </button>
          </p>
        )}
        {isRefused && (
          <p role="alert" className="field-error">
            {words.notRemembered}
          </p>
        )}
        {remembered !== null && (
          <>
            <h3>{words.remembered.replace("{date}", momentOf(remembered.since, language).date)}</h3>
            {list(remembered.keys)}
            <p className="row">
              <button type="button" className="button slim" onClick={() => act(forget)}>
                {words.forget}
              </button>
            </p>
          </>
        )}
        <PasteForm words={words} onPaste={(text) => act(() => verification.paste(text))} />
        {pasted.length > 0 && (
          <>
            <h3>{words.pasted}</h3>
            {list(pasted)}
            <p className="row">
              <button type="button" className="button slim" onClick={() => act(removePasted)}>
                {words.removePasted}
              </button>
            </p>
          </>
        )}
      </div>
    </details>
  );
}

interface KeyListProps {
  readonly words: VerifyWords["keys"];
  readonly keys: readonly PlatformKey[];
  readonly used: ReadonlySet<string>;
  readonly trusted: ReadonlySet<string>;
}

function KeyList({ words, keys, used, trusted }: KeyListProps): ReactElement {
  return (
    <ul className="key-list">
      {keys.map(({ keyId, environment }) => (
        <li key={keyId}>
          <span className="print">{keyId}</span>
          {environment !== null && (
            <span className={environment === "test" ? "tag warn" : "tag"}>{words[environment]}</span>
          )}
          {used.has(keyId) && <span className="tag info">{words.used}</span>}
          {trusted.has(keyId) && <span className="tag ok">{words.trusted}</span>}
        </li>
      ))}
    </ul>
  );
}

interface PasteFormProps {
  readonly words: VerifyWords["keys"];
  readonly onPaste: (text: string) => void;
}

function PasteForm({ words, onPaste }: PasteFormProps): ReactElement {
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    try {
      onPaste(field.current?.value ?? "");
      setWrong(false);
      if (field.current) field.current.value = "";
    } catch {
      setWrong(true);
      field.current?.focus();
    }
  };
  return (
    <form className="field paste" onSubmit={submit}>
      <label htmlFor="pasted-keys">{words.paste}</label>
      <p
        id="pasted-keys-hint"
        className={isWrong ? "small field-error" : "small quiet"}
        role={isWrong ? "alert" : undefined}
      >
        {isWrong ? words.unreadable : words.pasteHint}
      </p>
      <textarea
        id="pasted-keys"
        ref={field}
        rows={4}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        aria-describedby="pasted-keys-hint"
      />
      <p className="row">
        <button type="submit" className="button slim">
          {words.use}
        </button>
      </p>
    </form>
  );
}
