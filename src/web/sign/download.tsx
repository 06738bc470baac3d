import { type ReactElement, type ReactNode, useState } from "react";
import { DownloadIcon } from "./icons.tsx";
import { readFile } from "./service.ts";
import type { Flow } from "./use-signing.ts";

interface DownloadButtonProps {
  readonly flow: Flow;
  /** Below that of the participant, such as `/report`. */
  readonly path: string;
  readonly filename: string;
  readonly failed: string;
  readonly children: ReactNode;
}

/** Saves a file of the API. A link cannot: it sends no headers. */
export function DownloadButton({ flow, path, filename, failed, children }: DownloadButtonProps): ReactElement {
  const [state, setState] = useState<"busy" | "failed" | null>(null);
  const download = async () => {
    if (state === "busy") return;
    setState("busy");
    const file = await flow.taken(readFile(flow.access(), path));
    setState(file === null ? "failed" : null);
    if (file !== null) save(file, filename);
  };
  return (
    <>
      <button type="button" className="button" aria-disabled={state === "busy"} onClick={() => void download()}>
        <DownloadIcon />
        <span>{children}</span>
      </button>
      {state === "failed" && (
        <p className="field-error" role="alert">
          {failed}
        </p>
      )}
    </>
  );
}

function save(file: Blob, filename: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  // The sender chose the name. What is saved opens as a PDF, whatever the name says.
  link.download = /\.pdf$/i.test(filename) ? filename : `${filename}.pdf`;
  link.click();
  // Some browsers read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
