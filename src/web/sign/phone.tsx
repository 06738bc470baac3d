import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import { PhoneIcon } from "./icons.tsx";
import type { Access } from "./service.ts";
import type { SignWords } from "./words.ts";

const QrCode = lazy(() => import("../design/qr-code.tsx"));

interface PhoneProps {
  readonly words: SignWords["phone"];
  readonly access: Access;
  readonly facts: SiteFacts;
}

/** From a desktop to the phone: the same link as a picture. It is shown after the code, and only when it is asked for. */
export function Phone({ words, access, facts }: PhoneProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const { participantId, secret } = access;
  const address = `${(facts.public_url ?? location.origin).replace(/\/$/, "")}/sign/${participantId}#${secret}`;
  return (
    <>
      <button type="button" className="button plain only-wide" onClick={() => setOpen(true)}>
        <PhoneIcon />
        {words.open}
      </button>
      <dialog ref={dialog} className="sign-dialog" aria-labelledby="phone" onClose={() => setOpen(false)}>
        {isOpen && (
          <div className="stack">
            <h2 id="phone">{words.heading}</h2>
            <p>{words.text}</p>
            <Suspense fallback={<div className="qr" />}>
              <QrCode text={address} label={words.label} />
            </Suspense>
            <button type="button" className="button" onClick={() => setOpen(false)}>
              {words.close}
            </button>
          </div>
        )}
      </dialog>
    </>
  );
}
