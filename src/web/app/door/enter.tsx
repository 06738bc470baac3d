import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { usePlace, useSessionState } from "../place.tsx";
import { Door } from "./door.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Signing in. It stands in place of every page that asks for a session, so that the address stays. */
export function Enter(): ReactElement {
  const { words, keeper } = usePlace();
  const { enter } = words;
  const state = useSessionState();
  return (
    <Door title={enter.heading}>
      <SignInForm
        submit={enter.submit}
        onOpened={keeper.opened}
        forgot={<Link to="/password">{enter.forgot}</Link>}
        after={<p className="quiet small">{enter.noAccess}</p>}
      >
        <h1>{enter.heading}</h1>
        {state.kind === "none" && state.hasExpired && <p>{enter.expired}</p>}
      </SignInForm>
    </Door>
  );
}
