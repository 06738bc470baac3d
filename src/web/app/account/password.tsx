import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { graphql } from "../api/graph.ts";
import { useAct } from "../api/use-act.ts";
import { lengthFault, passwordFault } from "../door/new-password.ts";
import { AppDialog } from "../parts/app-dialog.tsx";
import { HiddenUsername, PasswordEntry } from "../parts/entry.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace, useSession } from "../place.tsx";
import { accountWords } from "./words.ts";

const CHANGE = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input) {
      changed
    }
  }
`);

export function Password(): ReactElement {
  const { language } = usePlace();
  const words = accountWords[language];
  const [isChanging, change] = useState(false);
  const [isChanged, setChanged] = useState(false);
  return (
    <Setting title={words.password} text={words.passwordText}>
      <ul className="items acts">
        <li>
          <span className="ico">
            <LineIcon name="key" />
          </span>
          <p className="grow quiet" role="status">
            {isChanged ? words.changed : words.passwordHint}
          </p>
          <button type="button" className="button" onClick={() => change(true)}>
            {words.change}
          </button>
        </li>
      </ul>
      {isChanging && (
        <ChangePassword
          onClose={() => change(false)}
          onDone={() => {
            change(false);
            setChanged(true);
          }}
        />
      )}
    </Setting>
  );
}

interface ChangePasswordProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ChangePassword({ onClose, onDone }: ChangePasswordProps): ReactElement {
  const { language, words: common } = usePlace();
  const words = accountWords[language];
  const { user } = useSession();
  const change = useAct(CHANGE);
  const present = useRef<HTMLInputElement>(null);
  const fresh = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const { refusal } = change;
  const isWrong = refusal?.fields.some(({ field }) => /presentPassword$/.test(field)) ?? false;
  const refused = refusal === null || isWrong ? null : passwordFault(common, refusal);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    change.clear();
    const presentPassword = present.current?.value ?? "";
    const password = fresh.current?.value ?? "";
    const length = lengthFault(common, password);
    setMissing(presentPassword === "");
    setFault(length);
    if (presentPassword === "") return present.current?.focus();
    if (length !== null) return fresh.current?.focus();
    if ((await change.act({ input: { presentPassword, password } })) !== null) onDone();
  };
  return (
    <AppDialog isOpen title={words.change} onClose={onClose} first={present}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <HiddenUsername email={user.email} />
        <PasswordEntry
          field={present}
          kind="current-password"
          label={words.present}
          error={isMissing ? common.enter.passwordMissing : isWrong ? words.presentWrong : null}
        />
        <PasswordEntry
          field={fresh}
          kind="new-password"
          label={common.welcome.password}
          hint={common.welcome.hint}
          error={fault ?? refused}
        />
        {refusal !== null && !isWrong && refused === null && <RefusalNotice refusal={refusal} />}
        <div className="row">
          <button type="submit" className="button main" aria-disabled={change.isBusy}>
            {words.change}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
