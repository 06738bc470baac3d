import { type ChangeEvent, type ReactElement, useEffect, useState } from "react";
import { Foreign, inert } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import { Icon } from "./icon.tsx";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface DropZoneProps {
  readonly words: VerifyWords;
  readonly verification: Verification;
  readonly language: Language;
}

/** Takes files by drop, anywhere on the page, or by choice, and shows their state. */
export function DropZone({ words, verification, language }: DropZoneProps): ReactElement {
  const { file, receipt, notice, isReading, findings, removeFile, removeReceipt, add } = verification;
  // Once there is a result, the result takes the space.
  const isSmall = findings !== null;
  const isOver = useDrop(add);
  const choose = ({ currentTarget: field }: ChangeEvent<HTMLInputElement>) => {
    add([...(field.files ?? [])]);
    // Allows choosing the same file again after it changed.
    field.value = "";
  };
  return (
    <div className="files">
      <div className={`drop ${isOver ? "over" : ""} ${isSmall ? "small" : ""}`}>
        <p className="strong drop-heading">{words.drop.heading}</p>
        <label className="button">
          <input
            type="file"
            className="visually-hidden"
            multiple
            onChange={choose}
            {...(isSmall ? {} : { "aria-describedby": "privacy" })}
          />
          {words.drop.choose}
        </label>
        {!isSmall && (
          <p id="privacy" className="hint">
            {words.drop.privacy}
          </p>
        )}
      </div>
      <ul className="dropped">
        {file.status === "hashing" && (
          <li>
            <Progress words={words.drop} name={file.name} bytes={file.bytes} size={file.size} language={language} />
            <button type="button" onClick={removeFile}>
              {words.drop.cancel}
            </button>
          </li>
        )}
        {file.status === "hashed" && (
          <Dropped kind={words.drop.file} name={file.file.name} remove={words.drop.remove} onRemove={removeFile} />
        )}
        {receipt !== null && (
          <Dropped kind={words.drop.receipt} name={receipt.name} remove={words.drop.remove} onRemove={removeReceipt} />
        )}
      </ul>
      <div role="status" className="notices">
        {isReading && <p className="hint">{words.drop.reading}</p>}
        {file.status === "unreadable" && <p className="field-error">{words.drop.unreadable}</p>}
        {notice !== null && <p className="hint">{words.notices[notice]}</p>}
      </div>
    </div>
  );
}

interface ProgressProps {
  readonly words: VerifyWords["drop"];
  readonly name: string;
  readonly bytes: number;
  readonly size: number;
  readonly language: Language;
}

function Progress({ words, name, bytes, size, language }: ProgressProps): ReactElement {
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(size === 0 ? 1 : bytes / size);
  return (
    <div className="progress">
      <label htmlFor="hashing">
        <Foreign text={words.hashing(name)} /> <span className="percent">{percent}</span>
      </label>
      <progress id="hashing" max={Math.max(size, 1)} value={bytes} />
    </div>
  );
}

interface DroppedProps {
  readonly kind: string;
  readonly name: string;
  readonly remove: (name: string) => string;
  readonly onRemove: () => void;
}

function Dropped({ kind, name, remove, onRemove }: DroppedProps): ReactElement {
  return (
    <li>
      <p>
        <span className="hint">{kind}</span> <Foreign className="name" text={name} />
      </p>
      <button type="button" className="quiet" aria-label={remove(inert(name))} onClick={onRemove}>
        <Icon name="failed" />
      </button>
    </li>
  );
}

/** Catches drops on the whole page, because the browser would open a file dropped beside the zone. True while a file is held over the page. */
function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [onFiles]);
  return isOver;
}
