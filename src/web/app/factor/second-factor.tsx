import { type ReactElement, useState } from "react";
import { graphql } from "../api/graph.ts";
import { useAct, useAsked } from "../api/use-act.ts";
import { Answered } from "../parts/answered.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace } from "../place.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Prove } from "./prove.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUp } from "./set-up.tsx";
import { factorWords } from "./words.ts";

const FACTOR = graphql(`
  query SecondFactor {
    secondFactor {
      secondFactor
      recoveryCodesLeft
      totpSince
      passkeys {
        id
        name
        createdAt
        lastUsedAt
      }
    }
  }
`);
const REMOVE = graphql(`
  mutation RemoveTotp($input: RemoveTotpInput!) {
    removeTotp(input: $input) {
      secondFactor
    }
  }
`);
const RENEW = graphql(`
  mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {
    renewRecoveryCodes(input: $input) {
      recoveryCodes
    }
  }
`);

type Shown =
  | { readonly kind: "set-up" | "off" | "renew" }
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | null;

/** An authenticator app: set up, removed, and its recovery codes. And passkeys. */
export function SecondFactor(): ReactElement {
  const { language, keeper } = usePlace();
  const words = factorWords[language];
  const asked = useAsked(FACTOR);
  const [, again] = asked;
  const [shown, show] = useState<Shown>(null);
  const remove = useAct(REMOVE);
  const renew = useAct(RENEW);
  const close = () => {
    show(null);
    remove.clear();
    renew.clear();
  };
  const showCodes = (codes: readonly string[]) => {
    show({ kind: "codes", codes });
    again();
  };
  return (
    <Setting title={words.title} text={words.text}>
      <Answered asked={asked}>
        {({ secondFactor }) => (
          <ul className="items acts">
            {secondFactor?.totpSince ? (
              <>
                <li>
                  <span className="ico ok">
                    <LineIcon name="shield" />
                  </span>
                  <div className="grow">
                    <p>
                      <b>{words.app}</b>
                    </p>
                  </div>
                  <button type="button" className="button" onClick={() => show({ kind: "off" })}>
                    {words.turnOff}
                  </button>
                </li>
                <li>
                  <span className="ico">
                    <LineIcon name="key" />
                  </span>
                  <div className="grow">
                    <p>
                      <b>{words.codesLeft.replace("{count}", String(secondFactor.recoveryCodesLeft))}</b>
                    </p>
                    <p className="quiet small">{words.codesText}</p>
                  </div>
                  <button type="button" className="button" onClick={() => show({ kind: "renew" })}>
                    {words.renew}
                  </button>
                </li>
              </>
            ) : (
              <li>
                <span className="ico">
                  <LineIcon name="shield" />
                </span>
                <div className="grow">
                  <p>
                    <b>{words.off}</b>
                  </p>
                  <p className="quiet small">{words.offText}</p>
                </div>
                <button type="button" className="button main" onClick={() => show({ kind: "set-up" })}>
                  {words.turnOn}
                </button>
              </li>
            )}
            <Passkeys
              passkeys={secondFactor?.passkeys ?? []}
              hasApp={Boolean(secondFactor?.totpSince)}
              onChanged={() => {
                again();
                void keeper.open();
              }}
            />
          </ul>
        )}
      </Answered>
      {shown?.kind === "set-up" && <SetUp onClose={close} onCodes={showCodes} />}
      {shown?.kind === "codes" && (
        <RecoveryCodes
          codes={shown.codes}
          onClose={() => {
            close();
            void keeper.open();
          }}
        />
      )}
      {shown?.kind === "off" && (
        <Prove
          title={words.offHeading}
          submit={words.turnOff}
          isBusy={remove.isBusy}
          refusal={remove.refusal}
          onClose={close}
          onProof={(input) =>
            void remove.act({ input }).then((done) => {
              if (done === null) return;
              close();
              again();
              void keeper.open();
            })
          }
        >
          <p>{words.offQuestion}</p>
        </Prove>
      )}
      {shown?.kind === "renew" && (
        <Prove
          title={words.renewHeading}
          submit={words.renew}
          isBusy={renew.isBusy}
          refusal={renew.refusal}
          onClose={close}
          onProof={(input) =>
            void renew.act({ input }).then((done) => {
              if (done?.renewRecoveryCodes) showCodes(done.renewRecoveryCodes.recoveryCodes);
            })
          }
        >
          <p>{words.renewText}</p>
        </Prove>
      )}
    </Setting>
  );
}
