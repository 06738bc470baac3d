import { type ReactElement, useState } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { Say } from "../../design/say.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Notice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { tokenWords } from "./words.ts";

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  /** How a program sends it. */
  readonly sample: string | null;
  readonly onClose: () => void;
}

/** A secret that is shown once. It stands nowhere else on the page, and closing needs a tick. */
export function SecretDialog({ title, secret, sample, onClose }: SecretDialogProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = tokenWords[language].tokens;
  const [isKept, keep] = useState(false);
  return (
    <AppDialog isOpen title={title} onClose={null}>
      <Notice tone="warn" icon="warning">
        <p>
          <Say text={words.copyNow} />
        </p>
      </Notice>
      <div className="copy">
        <code className="break">{secret}</code>
        <CopyButton text={secret} words={common} />
      </div>
      {sample !== null && (
        <div className="stack tight">
          <h3>{words.tryIt}</h3>
          <pre>{sample}</pre>
        </div>
      )}
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
        {common.close}
      </button>
    </AppDialog>
  );
}
