import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useQuery } from "urql";
import { graphql } from "../api/graph.ts";
import { LineIcon } from "../parts/line-icon.tsx";
import { useMay, usePlace, useSession } from "../place.tsx";
import { homeWords } from "./words.ts";

const BEGUN = graphql(`
  query Begun($isOwner: Boolean!, $mayToken: Boolean!, $mayInvite: Boolean!) {
    organization @include(if: $isOwner) {
      contactEmail
    }
    apiTokens(first: 1) @include(if: $mayToken) {
      nodes {
        id
      }
    }
    members(limit: 2) @include(if: $mayInvite) {
      id
    }
    invitations(limit: 1) @include(if: $mayInvite) {
      id
    }
  }
`);

interface Step {
  readonly name: "organization" | "factor" | "token" | "invite";
  readonly to: "/organization" | "/account" | "/tokens" | "/members";
  readonly isDone: boolean;
}

/** What a new organization does first, as far as the role allows it. Nothing once all of it is done, or while that is not known. */
export function FirstSteps(): ReactElement | null {
  const { language, keeper } = usePlace();
  const words = homeWords[language];
  const { second_factor: factor } = useSession();
  const isOwner = useMay("organization:manage");
  const mayToken = useMay("tokens:manage");
  const mayInvite = useMay("members:manage");
  const [{ data }] = useQuery({ query: BEGUN, variables: { isOwner, mayToken, mayInvite } });
  if (data === undefined) return null;
  const { organization, apiTokens, members, invitations } = data;
  const steps: Step[] = [
    ...(isOwner ? [step("organization", "/organization", Boolean(organization?.contactEmail))] : []),
    step("factor", "/account", factor !== "none"),
    ...(mayToken ? [step("token", "/tokens", (apiTokens?.nodes.length ?? 0) > 0)] : []),
    ...(mayInvite ? [step("invite", "/members", (members?.length ?? 0) + (invitations?.length ?? 0) > 1)] : []),
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  if (next < 0) return null;
  return (
    <section className="card" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{words.steps}</h2>
        <span className="quiet">
          {words.stepsDone
            .replace("{done}", String(steps.filter(({ isDone }) => isDone).length))
            .replace("{all}", String(steps.length))}
        </span>
      </header>
      <ol className="items acts">
        {steps.map(({ name, to, isDone }, place) => (
          <li key={name}>
            {isDone ? (
              <span className="ico ok">
                <LineIcon name="done" />
                <span className="out-of-sight">{words.done}</span>
              </span>
            ) : (
              <span className={place === next ? "ico now" : "ico"} aria-hidden="true">
                {place + 1}
              </span>
            )}
            <div className="grow">
              <p>
                <b>{words.step[name].title}</b>
              </p>
              <p className="quiet">{isDone ? words.step[name].done : words.step[name].text}</p>
            </div>
            {!isDone && (
              <Link
                to={to}
                className={place === next ? "button main" : "button"}
                // A first token is one of the test environment, where nothing counts.
                {...(name === "token" ? { onClick: () => keeper.setEnvironment("test") } : {})}
              >
                {words.step[name].go}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const step = (name: Step["name"], to: Step["to"], isDone: boolean): Step => ({ name, to, isDone });
