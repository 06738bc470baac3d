import type { ReactElement, ReactNode } from "react";
import type { Refusal } from "../api/refusal.ts";
import { usePlace } from "../place.tsx";
import { AppDialog } from "./app-dialog.tsx";
import { RefusalNotice } from "./refusal-notice.tsx";

interface ConfirmDialogProps {
  readonly title: ReactNode;
  /** What follows from it. */
  readonly children: ReactNode;
  readonly submit: ReactNode;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** In place of what is said of every refusal of this kind. */
  readonly refused?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({
  title,
  children,
  submit,
  isBusy,
  refusal,
  refused,
  onSubmit,
  onClose,
}: ConfirmDialogProps): ReactElement {
  const { words } = usePlace();
  return (
    <AppDialog isOpen title={title} onClose={onClose}>
      {children}
      {refusal !== null && <RefusalNotice refusal={refusal}>{refused}</RefusalNotice>}
      <div className="row">
        <button type="button" className="button danger main" aria-disabled={isBusy} onClick={onSubmit}>
          {submit}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </AppDialog>
  );
}
