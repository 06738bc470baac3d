import type { ReactElement } from "react";
import { Foreign } from "../shell/foreign.tsx";
import type { Signing } from "./service.ts";
import type { SignWords } from "./words.ts";

/** The sender as somebody to write to: with an address only where a mail to it is read. */
export function Sender({
  words,
  signing,
}: {
  readonly words: SignWords;
  readonly signing: Pick<Signing, "contact"> | null;
}): ReactElement {
  const contact = signing?.contact ?? null;
  return (
    <>
      {words.sender}
      {contact !== null && (
        <>
          {" ("}
          <a href={`mailto:${encodeURIComponent(contact).replace("%40", "@")}`}>
            <Foreign text={contact} />
          </a>
          )
        </>
      )}
    </>
  );
}
