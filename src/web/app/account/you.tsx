import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { LANGUAGES } from "../../shell/language.ts";
import { LANGUAGE_NAMES } from "../../shell/words.ts";
import { graphql } from "../api/graph.ts";
import { useAct } from "../api/use-act.ts";
import { Entry } from "../parts/entry.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace, useSession } from "../place.tsx";
import { accountWords } from "./words.ts";

const UPDATE = graphql(`
  mutation UpdateAccount($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      name
      language
    }
  }
`);

/** Name and language. */
export function You(): ReactElement {
  const { language: shown, words: common, keeper } = usePlace();
  const words = accountWords[shown];
  const { user } = useSession();
  const update = useAct(UPDATE);
  const name = useRef<HTMLInputElement>(null);
  const language = useRef<HTMLSelectElement>(null);
  const [isMissing, setMissing] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = (name.current?.value ?? "").trim();
    const lacks = typed === "" || [...typed].length > 255;
    setMissing(lacks);
    setSaved(false);
    if (lacks) return name.current?.focus();
    const done = await update.act({ input: { name: typed, language: language.current?.value ?? user.language } });
    if (!done?.updateAccount) return;
    keeper.amend({ user: done.updateAccount });
    setSaved(true);
  };
  return (
    <Setting title={words.you} text={words.youText}>
      <form className="plain" onSubmit={(event) => void submit(event)} noValidate>
        <div className="body form">
          <div className="half">
            <Entry label={words.name} error={isMissing ? words.nameMissing : null}>
              {(control) => (
                <input
                  {...control}
                  ref={name}
                  className="input"
                  autoComplete="name"
                  maxLength={600}
                  defaultValue={user.name}
                />
              )}
            </Entry>
          </div>
          <div className="half">
            <Entry label={words.language}>
              {(control) => (
                <select {...control} ref={language} className="input" defaultValue={shown}>
                  {LANGUAGES.map((each) => (
                    <option key={each} value={each} lang={each}>
                      {LANGUAGE_NAMES[each]}
                    </option>
                  ))}
                </select>
              )}
            </Entry>
          </div>
          <Entry label={words.email} hint={words.emailHint}>
            {(control) => <input {...control} className="input" value={user.email} readOnly />}
          </Entry>
          {update.refusal !== null && <RefusalNotice refusal={update.refusal} />}
        </div>
        <footer>
          <button type="submit" className="button" aria-disabled={update.isBusy}>
            {common.save}
          </button>
          <span role="status">{isSaved && common.saved}</span>
        </footer>
      </form>
    </Setting>
  );
}
