import type { ReactElement } from "react";
import { Foreign, inert } from "../shell/foreign.tsx";
import { Icon, type Tone } from "./icon.tsx";

interface FileRowProps {
  readonly name: string;
  readonly tone: Exclude<Tone, "note">;
  /** What the file came to, in a word. */
  readonly word: string;
  readonly remove: string;
  readonly onRemove: () => void;
}

/** A file that the visitor added, and the way to take it back. */
export function FileRow({ name, tone, word, remove, onRemove }: FileRowProps): ReactElement {
  return (
    <div className="file">
      <Icon tone={tone} />
      <span>
        <b>
          <Foreign text={name} />
        </b>{" "}
        <span className={`small word is-${tone}`}>{word}</span>
      </span>
      <button className="button plain slim" type="button" onClick={onRemove}>
        {remove}
        <span className="out-of-sight"> {inert(name)}</span>
      </button>
    </div>
  );
}
