import { type ReactElement, useEffect, useId, useRef, useState } from "react";

interface DropZoneProps {
  /** Of its field. */
  readonly id?: string;
  readonly heading: string;
  readonly text: string;
  readonly choose: string;
  /** Whether adding a file is the next thing to do. */
  readonly isFirst: boolean;
  /** Whether a file is held over the page. */
  readonly isOver: boolean;
  /** One function for the life of the page. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** The id of the field that takes files. */
export const PICK = "pick";

/** Takes files by choice; {@link useDrop} takes those that are dropped. */
export function DropZone({ id = PICK, heading, text, choose, isFirst, isOver, onFiles }: DropZoneProps): ReactElement {
  const described = useId();
  const pick = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = pick.current;
    // Not by React, and never removed: the browser's dialog may still be open when the page puts another field in place of this one.
    field?.addEventListener("change", () => {
      onFiles([...(field.files ?? [])]);
      // Allows choosing the same file again after it changed.
      field.value = "";
    });
  }, [onFiles]);
  return (
    <div className={`drop ${isFirst ? "first" : ""} ${isOver ? "over" : ""}`}>
      <strong>{heading}</strong>
      <p id={described} className="small quiet">
        {text}
      </p>
      <input id={id} ref={pick} className="out-of-sight" type="file" multiple aria-describedby={described} />
      <label className={isFirst ? "button main" : "button"} htmlFor={id}>
        {choose}
      </label>
    </div>
  );
}

/** Catches drops on the whole page, because the browser would open a file dropped beside the zone. True while a file is held over the page. */
export function useDrop(onFiles: (files: readonly File[]) => void): boolean {
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
