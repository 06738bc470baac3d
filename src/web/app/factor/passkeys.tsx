import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { useClient } from "urql";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { graphql, refusalOfGraph } from "../api/graph.ts";
import { canUsePasskeys, makePasskey } from "../api/passkeys.ts";
import type { Refusal } from "../api/refusal.ts";
import { useAct } from "../api/use-act.ts";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Entry, HiddenUsername, PasswordEntry } from "../parts/entry.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { dayOf } from "../parts/moment.ts";
import { usePlace, useSession } from "../place.tsx";
import { FactorEntry } from "./factor-entry.tsx";
import { FactorRefusal } from "./factor-refusal.tsx";
import { Prove } from "./prove.tsx";
import { factorWords } from "./words.ts";

const OPTIONS = graphql(`
  query PasskeyCreationOptions {
    passkeyCreationOptions {
      options
    }
  }
`);
const ADD = graphql(`
  mutation AddPasskey($input: AddPasskeyInput!) {
    addPasskey(input: $input) {
      passkey {
        id
      }
    }
  }
`);
const REMOVE = graphql(`
  mutation RemovePasskey($input: RemovePasskeyInput!) {
    removePasskey(input: $input) {
      secondFactor
    }
  }
`);

export interface ShownPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface PasskeysProps {
  readonly passkeys: readonly ShownPasskey[];
  readonly hasApp: boolean;
  readonly onChanged: () => void;
}

/** The passkeys of the person, and the ways to add and to remove one. */
export function Passkeys({ passkeys, hasApp, onChanged }: PasskeysProps): ReactElement {
  const { language } = usePlace();
  const words = factorWords[language];
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<ShownPasskey | null>(null);
  const remove = useAct(REMOVE);
  const close = () => {
    setRemoved(null);
    remove.clear();
  };
  return (
    <>
      {passkeys.map((passkey) => (
        <li key={passkey.id}>
          <span className="ico ok">
            <LineIcon name="fingerprint" />
          </span>
          <div className="grow">
            <p>
              <b>
                <Foreign text={passkey.name} />
              </b>
            </p>
            <p className="quiet small">
              {passkey.lastUsedAt === null
                ? words.passkeyAdded.replace("{day}", dayOf(passkey.createdAt, language))
                : words.passkeyUsed.replace("{day}", dayOf(passkey.lastUsedAt, language))}
            </p>
          </div>
          <button
            type="button"
            className="button"
            aria-label={`${words.removePasskey}: ${passkey.name}`}
            onClick={() => setRemoved(passkey)}
          >
            {words.removePasskey}
          </button>
        </li>
      ))}
      <li>
        <span className="ico">
          <LineIcon name="fingerprint" />
        </span>
        <div className="grow">
          <p>
            <b>{words.passkey}</b>
          </p>
          <p className="quiet small">{canUsePasskeys() ? words.passkeyText : words.noPasskeys}</p>
        </div>
        {canUsePasskeys() && (
          <button type="button" className="button" onClick={() => setAdding(true)}>
            {words.addPasskey}
          </button>
        )}
      </li>
      {isAdding && (
        <AddPasskey
          hasApp={hasApp}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            onChanged();
          }}
        />
      )}
      {removed !== null && (
        <Prove
          title={words.removePasskeyHeading}
          submit={words.removePasskey}
          asksCode={hasApp}
          isBusy={remove.isBusy}
          refusal={remove.refusal}
          onClose={close}
          onProof={(proof) =>
            void remove.act({ input: { id: removed.id, ...proof } }).then((done) => {
              if (done === null) return;
              close();
              onChanged();
            })
          }
        >
          <p>
            <Say text={words.removePasskeyText} with={{ passkey: <Foreign text={removed.name} /> }} />
          </p>
        </Prove>
      )}
    </>
  );
}

interface AddPasskeyProps {
  readonly hasApp: boolean;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

/** Asks for a name and for the password, and has the browser make a passkey. */
export function AddPasskey({ hasApp, onClose, onAdded }: AddPasskeyProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = factorWords[language];
  const { user } = useSession();
  const client = useClient();
  const field = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const make = async (input: { readonly name: string; readonly password: string; readonly code?: string }) => {
    const asked = await client.query(OPTIONS, {}).toPromise();
    if (asked.error !== undefined) return refusalOfGraph(asked.error);
    const made = await makePasskey(asked.data?.passkeyCreationOptions?.options);
    if (!made.ok) return made.refusal;
    const added = await client.mutation(ADD, { input: { ...input, response: made.body } }).toPromise();
    return added.error === undefined ? null : refusalOfGraph(added.error);
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const name = (field.current?.value ?? "").trim();
    const password = passwordField.current?.value ?? "";
    setMissing(name === "");
    setRefusal(null);
    if (name === "" || password === "") return (name === "" ? field : passwordField).current?.focus();
    setBusy(true);
    const code = (codeField.current?.value ?? "").replace(/\s/g, "");
    const refused = await make({ name, password, ...(hasApp ? { code } : {}) });
    setBusy(false);
    if (refused === null) onAdded();
    else setRefusal(refused);
  };
  const isWrong = refusal?.fields.some((wrong) => wrong.field !== "response") ?? false;
  return (
    <AppDialog isOpen title={words.addPasskeyHeading} onClose={onClose} first={field}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p>{words.addPasskeyText}</p>
        <Entry
          label={words.passkeyName}
          hint={words.passkeyNameHint}
          error={isMissing ? words.passkeyNameMissing : null}
        >
          {(control) => <input {...control} ref={field} className="input" autoComplete="off" maxLength={100} />}
        </Entry>
        <HiddenUsername email={user.email} />
        <PasswordEntry
          field={passwordField}
          kind="current-password"
          label={common.enter.password}
          error={isWrong ? (hasApp ? words.wrong : words.wrongPassword) : null}
        />
        {hasApp && <FactorEntry field={codeField} />}
        {refusal !== null && !isWrong && <FactorRefusal refusal={refusal} />}
        <div className="row">
          <button type="submit" className="button main" aria-disabled={isBusy}>
            {words.goOn}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
