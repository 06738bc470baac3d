import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Foreign, inert } from "../shell/foreign.tsx";
import { Icon } from "../shell/icon.tsx";
import type { Language } from "../shell/language.ts";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface DropZoneProps {
  readonly words: VerifyWords;
  readonly verification: Verification;
  readonly language: Language;
}

/** Takes files by drop, anywhere on the page, or by choice, and shows their state. */
export function DropZone({ words, verification, language }: DropZoneProps): VNode {
  const { file, receipt, notice, isReading, findings, removeFile, removeReceipt, add } = verification;
  // Once there is a result, the result takes the space.
  const isSmall = findings !== null;
  const isOver = useDrop(add);
  const choose = (event: Event) => {
    const field = event.currentTarget as HTMLInputElement;
    add([...(field.files ?? [])]);
    // Allows choosing the same file again after it changed.
    field.value = "";
  };
  return (
    <div class="files">
      <div class={`drop ${isOver ? "over" : ""} ${isSmall ? "small" : ""}`}>
        <p class="strong drop-heading">{words.drop.heading}</p>
        <label class="button">
          <input
            type="file"
            class="visually-hidden"
            multiple
            onChange={choose}
            {...(isSmall ? {} : { "aria-describedby": "privacy" })}
          />
          {words.drop.choose}
        </label>
        {!isSmall && (
          <p id="privacy" class="hint">
            {words.drop.privacy}
          </p>
        )}
      </div>
      <ul class="dropped">
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
      <div role="status" class="notices">
        {isReading && <p class="hint">{words.drop.reading}</p>}
        {file.status === "unreadable" && <p class="field-error">{words.drop.unreadable}</p>}
        {notice !== null && <p class="hint">{words.notices[notice]}</p>}
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

function Progress({ words, name, bytes, size, language }: ProgressProps): VNode {
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(size === 0 ? 1 : bytes / size);
  return (
    <div class="progress">
      <label for="hashing">
        <Foreign text={words.hashing(name)} /> <span class="percent">{percent}</span>
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

function Dropped({ kind, name, remove, onRemove }: DroppedProps): VNode {
  return (
    <li>
      <p>
        <span class="hint">{kind}</span> <Foreign class="name" text={name} />
      </p>
      <button type="button" class="quiet" aria-label={remove(inert(name))} onClick={onRemove}>
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
