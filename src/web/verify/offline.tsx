import type { ReactElement } from "react";
import { KEYS_URL, type Lookup } from "./service.ts";
import type { VerifyWords } from "./words.ts";

interface OfflineProps {
  readonly words: VerifyWords["offline"];
  readonly lookup: Lookup;
}

/** The files for checking the proof without this page, and the command. */
export function Offline({ words, lookup }: OfflineProps): ReactElement {
  const record = lookup.status === "found" ? lookup.record : null;
  return (
    <section className="card stack offline" aria-labelledby="offline">
      <h2 id="offline">{words.heading}</h2>
      <p>{words.text}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a line wider than the screen must scroll by keyboard, too. */}
      <pre tabIndex={0}>
        <code>{words.command}</code>
      </pre>
      <p className="row">
        {record !== null && (
          <button
            type="button"
            className="button slim"
            onClick={() => save(`selo-${String(record.evidence.members["verification_code"])}.json`, record.text)}
          >
            {words.evidence}
          </button>
        )}
        <a className="button slim" href={KEYS_URL} download="selo-platform-keys.json">
          {words.keys}
        </a>
        <a className="button slim" href="/selo-verify.mjs" download>
          {words.verifier}
        </a>
      </p>
    </section>
  );
}

/** Saves the exact text that was checked; a second request might answer another text. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download begins with the click and does not need the address later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
