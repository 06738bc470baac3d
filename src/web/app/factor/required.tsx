import { type ReactElement, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { graphql } from "../api/graph.ts";
import { canUsePasskeys, signInWithPasskey } from "../api/passkeys.ts";
import type { Refusal } from "../api/refusal.ts";
import { useAsked } from "../api/use-act.ts";
import { Door } from "../door/door.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace, useSession } from "../place.tsx";
import { AddPasskey } from "./passkeys.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUp } from "./set-up.tsx";
import { factorWords } from "./words.ts";

const PASSKEYS = graphql(`
  query OwnPasskeys {
    secondFactor {
      passkeys {
        id
      }
    }
  }
`);

/** The organization demands a second factor that the person lacks: until it is set up, there is nothing else to see. */
export function RequiredFactor(): ReactElement {
  const { language, words: common, keeper } = usePlace();
  const words = factorWords[language];
  const { organization, organizations } = useSession();
  const [isSettingUp, setUp] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const [asked] = useAsked(PASSKEYS);
  const hasPasskey = asked.kind === "answered" && (asked.data.secondFactor?.passkeys.length ?? 0) > 0;
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const enterWithPasskey = async () => {
    const answer = await signInWithPasskey();
    if (answer.ok) keeper.opened(answer.body);
    else setRefusal(answer.refusal);
  };
  return (
    <Door title={words.requiredHeading}>
      <div className="stack tight">
        <h1>{words.requiredHeading}</h1>
        <p>
          <Say
            text={words.requiredText}
            with={{
              organization: (
                <b>
                  <Foreign text={organization.name} />
                </b>
              ),
            }}
          />
        </p>
      </div>
      <div className="stack tight">
        {hasPasskey ? (
          <>
            <p className="quiet small">{words.passkeyFirst}</p>
            {canUsePasskeys() && (
              <button type="button" className="button main" onClick={() => void enterWithPasskey()}>
                {words.signInWithPasskey}
              </button>
            )}
            <details>
              <summary>{words.lostDevice}</summary>
              <p className="quiet small">{common.factor.lostText}</p>
            </details>
          </>
        ) : (
          <>
            <p className="quiet small">{words.appText}</p>
            <button type="button" className="button main" onClick={() => setUp(true)}>
              {words.setUp}
            </button>
            {canUsePasskeys() && (
              <>
                <p className="quiet small">{words.orPasskey}</p>
                <button type="button" className="button" onClick={() => setAdding(true)}>
                  {words.addPasskey}
                </button>
              </>
            )}
          </>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <div className="stack tight">
        {organizations
          .filter(({ id }) => id !== organization.id)
          .map(({ id, name }) => (
            <button
              key={id}
              type="button"
              className="button plain"
              onClick={() => void keeper.switchTo(id).then(setRefusal)}
            >
              <span>
                <Say text={words.otherOrganization} with={{ organization: <Foreign text={name} /> }} />
              </span>
            </button>
          ))}
        <button type="button" className="button plain" onClick={() => void keeper.signOut().then(setRefusal)}>
          {common.panel.signOut}
        </button>
      </div>
      {isSettingUp && (
        <SetUp
          onClose={() => setUp(false)}
          onCodes={(made) => {
            setUp(false);
            setCodes(made);
          }}
        />
      )}
      {isAdding && <AddPasskey hasApp={false} onClose={() => setAdding(false)} onAdded={() => void keeper.open()} />}
      {codes !== null && <RecoveryCodes codes={codes} onClose={() => void keeper.open()} />}
    </Door>
  );
}
