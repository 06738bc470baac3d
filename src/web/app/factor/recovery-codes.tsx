import { type ReactElement, useState } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { Say } from "../../design/say.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Notice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { factorWords } from "./words.ts";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Codes that are shown once: copied, saved as a file, or printed. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = factorWords[language];
  const [isKept, keep] = useState(false);
  const text = `${codes.join("\n")}\n`;
  return (
    <AppDialog isOpen title={words.codesHeading} onClose={null}>
      <Notice tone="warn" icon="warning">
        <p>
          <Say text={words.onlyNow} />
        </p>
      </Notice>
      <ol className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="row">
        <CopyButton text={text} words={common} />
        <button type="button" className="button" onClick={() => saveAsFile(text)}>
          {words.download}
        </button>
        <button type="button" className="button" onClick={() => print()}>
          {words.print}
        </button>
      </div>
      <label className="check">
        <input type="checkbox" checked={isKept} onChange={({ currentTarget }) => keep(currentTarget.checked)} />
        <span>{words.kept}</span>
      </label>
      <button
        type="button"
        className="button main"
        aria-disabled={!isKept}
        onClick={() => {
          if (isKept) onClose();
        }}
      >
        {words.done}
      </button>
    </AppDialog>
  );
}

function saveAsFile(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "selo-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(address);
}
