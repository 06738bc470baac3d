import { Dialog } from "@base-ui/react/dialog";
import type { ReactElement, ReactNode, RefObject } from "react";

interface AppDialogProps {
  readonly isOpen: boolean;
  readonly title: ReactNode;
  /** Null where the dialog must be answered. */
  readonly onClose: (() => void) | null;
  /** What takes the focus first. */
  readonly first?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** Something to answer before going on. The focus stays in it, and goes back to where it was. */
export function AppDialog({ isOpen, title, onClose, first, children }: AppDialogProps): ReactElement {
  return (
    <Dialog.Root
      open={isOpen}
      disablePointerDismissal
      onOpenChange={(open) => {
        if (!open) onClose?.();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="app over">
          <Dialog.Popup className="dialog" {...(first === undefined ? {} : { initialFocus: first })}>
            <Dialog.Title>{title}</Dialog.Title>
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
