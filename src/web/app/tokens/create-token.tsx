import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { momentOf } from "../../design/date-time.tsx";
import { graphql } from "../api/graph.ts";
import type { Environment } from "../api/session-keeper.ts";
import { useAct } from "../api/use-act.ts";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Entry } from "../parts/entry.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace, useSession } from "../place.tsx";
import { ScopeList, tickedIn } from "./scope-list.tsx";
import { scopesForTokens } from "./scopes.ts";
import { tokenWords } from "./words.ts";

const CREATE = graphql(`
  mutation CreateToken($input: CreateApiTokenInput!) {
    createApiToken(input: $input) {
      token
    }
  }
`);

const DAY_MS = 86_400_000;
const DAYS = [90, 30, 365];

interface CreateTokenProps {
  readonly environment: Environment;
  readonly onClose: () => void;
  readonly onCreated: (token: string) => void;
}

export function CreateToken({ environment, onClose, onCreated }: CreateTokenProps): ReactElement {
  const { language, words: common } = usePlace();
  const words = tokenWords[language].tokens;
  const { scopes: own } = useSession();
  const create = useAct(CREATE);
  const name = useRef<HTMLInputElement>(null);
  const expiry = useRef<HTMLSelectElement>(null);
  const [lacks, setLacks] = useState<{ readonly name: boolean; readonly scopes: boolean }>({
    name: false,
    scopes: false,
  });
  const [begun] = useState(() => Date.now());
  const instantIn = (days: number) => new Date(begun + days * DAY_MS);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = (name.current?.value ?? "").trim();
    const scopes = tickedIn(event.currentTarget);
    const wrong = { name: typed === "" || [...typed].length > 100, scopes: scopes.length === 0 };
    setLacks(wrong);
    if (wrong.name) return name.current?.focus();
    if (wrong.scopes) return;
    const days = Number(expiry.current?.value ?? 0);
    const made = await create.act({
      input: {
        name: typed,
        environment: environment === "test" ? "TEST" : "LIVE",
        scopes,
        ...(days === 0 ? {} : { expiresAt: instantIn(days).toISOString() }),
      },
    });
    const token = made?.createApiToken?.token;
    if (token) onCreated(token);
  };
  const isTest = environment === "test";
  return (
    <AppDialog isOpen title={isTest ? words.createHeadingTest : words.createHeading} onClose={onClose} first={name}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Entry label={words.name} hint={words.nameHint} error={lacks.name ? words.nameMissing : null}>
          {(control) => <input {...control} ref={name} className="input" autoComplete="off" maxLength={200} />}
        </Entry>
        <ScopeList scopes={scopesForTokens(own)} isMissing={lacks.scopes} />
        <Entry label={words.expires}>
          {(control) => (
            <select {...control} ref={expiry} className="input">
              {DAYS.map((days) => (
                <option key={days} value={days}>
                  {words.inDays
                    .replace("{days}", String(days))
                    .replace("{date}", momentOf(instantIn(days), language).date)}
                </option>
              ))}
              <option value={0}>{words.neverExpires}</option>
            </select>
          )}
        </Entry>
        {create.refusal !== null && <RefusalNotice refusal={create.refusal} />}
        <div className="row">
          <button type="submit" className="button main" aria-disabled={create.isBusy}>
            {isTest ? words.createTest : words.createLive}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
