import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import type { PlatformKey } from "../../verifier/keys.ts";
import type { Language } from "../shell/language.ts";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface KeysProps {
  readonly words: VerifyWords["keys"];
  readonly verification: Verification;
  readonly language: Language;
}

/** Lets the visitor choose which keys to trust. Keys that a server publishes prove nothing against that server. */
export function Keys({ words, verification, language }: KeysProps): ReactElement {
  const { findings, published, pasted, pinned, pin, forget, removePasted } = verification;
  const [cannotPin, setCannotPin] = useState(false);
  const used = new Set(findings?.evidence.signatures.map(({ keyId }) => keyId));
  const trusted = new Set([...pasted, ...(pinned?.keys ?? [])].map(({ keyId }) => keyId));
  const list = (keys: readonly PlatformKey[]) => <KeyList words={words} keys={keys} used={used} trusted={trusted} />;
  return (
    <details className="card keys">
      <summary>
        <h2>{words.heading}</h2>
      </summary>
      <p>{words.why}</p>
      <h3>{words.published}</h3>
      {published === null ? <p className="hint">{words.none}</p> : list(published)}
      {published !== null && (
        <p className="actions">
          <button type="button" onClick={() => setCannotPin(!pin())}>
            {words.pin}
          </button>
        </p>
      )}
      <p role="alert" className="field-error">
        {cannotPin ? words.notPinned : ""}
      </p>
      {pinned !== null && (
        <>
          <h3>
            {words.pinned(
              new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" }).format(pinned.pinnedAt),
            )}
          </h3>
          {list(pinned.keys)}
          <p className="actions">
            <button type="button" onClick={forget}>
              {words.forget}
            </button>
          </p>
        </>
      )}
      <PasteForm words={words} onPaste={verification.paste} />
      {pasted.length > 0 && (
        <>
          <h3>{words.pasted}</h3>
          {list(pasted)}
          <p className="actions">
            <button type="button" onClick={removePasted}>
              {words.removePasted}
            </button>
          </p>
        </>
      )}
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
          <code className="wrap">{keyId}</code>
          {environment !== null && <span className="tag">{words[environment]}</span>}
          {used.has(keyId) && <span className="tag accent">{words.used}</span>}
          {trusted.has(keyId) && <span className="tag accent">{words.trusted}</span>}
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
    <form className="paste" onSubmit={submit}>
      <label htmlFor="pasted-keys">{words.paste}</label>
      <textarea
        id="pasted-keys"
        ref={field}
        rows={4}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={isWrong}
        aria-describedby="pasted-keys-error pasted-keys-hint"
      />
      <p id="pasted-keys-error" className="field-error" role="alert">
        {isWrong ? words.unreadable : ""}
      </p>
      <p id="pasted-keys-hint" className="hint">
        {words.pasteHint}
      </p>
      <button type="submit">{words.use}</button>
    </form>
  );
}
