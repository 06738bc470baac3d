import { type ReactElement, useRef } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { SignInForm } from "../door/sign-in-form.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { usePlace, useSessionState } from "../place.tsx";

/** The session has ended while the page was open. What was typed stays behind this dialog. */
export function SessionOver(): ReactElement | null {
  const { words, keeper } = usePlace();
  const { over, enter } = words;
  const state = useSessionState();
  const password = useRef<HTMLInputElement>(null);
  if (state.kind !== "over") return null;
  const { session, hasExpired } = state;
  return (
    <AppDialog isOpen title={hasExpired ? over.expiredHeading : over.endedHeading} onClose={null} first={password}>
      <SignInForm
        email={session.user.email}
        password={password}
        submit={over.submit}
        onOpened={keeper.opened}
        forgot={<a href="/app/password">{enter.forgot}</a>}
        after={
          <button type="button" className="button plain bad" onClick={() => location.assign("/app")}>
            {over.discard}
          </button>
        }
      >
        <p>
          {hasExpired ? (
            over.expiredText
          ) : (
            <Say
              text={over.endedText}
              with={{
                organization: (
                  <b>
                    <Foreign text={session.organization.name} />
                  </b>
                ),
              }}
            />
          )}{" "}
          <Say text={over.kept} />
        </p>
      </SignInForm>
    </AppDialog>
  );
}
