import { type ReactElement, type SubmitEvent, useState } from "react";
import { Say } from "../../design/say.tsx";
import { inert } from "../../shell/foreign.tsx";
import { graphql, type ResultOf } from "../api/graph.ts";
import { useAct, useAsked } from "../api/use-act.ts";
import { PAGE_ROWS } from "../api/use-pages.ts";
import { Answered } from "../parts/answered.tsx";
import { Notice, RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace } from "../place.tsx";
import { organizationWords } from "./words.ts";

const RULES = graphql(`
  query SignInRules {
    signInRules {
      demandsSecondFactor
    }
    members(limit: 200) {
      name
      secondFactor
    }
  }
`);
const UPDATE = graphql(`
  mutation UpdateSignInRules($demandsSecondFactor: Boolean!) {
    updateSignInRules(input: { demandsSecondFactor: $demandsSecondFactor }) {
      demandsSecondFactor
    }
  }
`);

type Rules = ResultOf<typeof RULES>;

/** What owners demand of the people of the organization. */
export function SignInRules(): ReactElement {
  const { language } = usePlace();
  const words = organizationWords[language];
  return (
    <Setting title={words.entry} text={words.entryText}>
      <Answered asked={useAsked(RULES)}>{(rules, again) => <Change rules={rules} onSaved={again} />}</Answered>
    </Setting>
  );
}

function Change({ rules, onSaved }: { readonly rules: Rules; readonly onSaved: () => void }): ReactElement {
  const { language, words: common } = usePlace();
  const words = organizationWords[language];
  const { signInRules, members } = rules;
  const before = signInRules?.demandsSecondFactor ?? false;
  const [isDemanded, demand] = useState(before);
  const [isSaved, setSaved] = useState(false);
  const update = useAct(UPDATE);
  const without = members.filter(({ secondFactor }) => secondFactor === "none" || secondFactor === "missing");
  // Of more members than one answer holds, the first stand for the others.
  const named = without.map(({ name }) => inert(name)).join(", ") + (members.length < PAGE_ROWS ? "" : "…");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const done = await update.act({ demandsSecondFactor: isDemanded });
    setSaved(done !== null);
    if (done !== null) onSaved();
  };
  return (
    <form className="plain" onSubmit={(event) => void submit(event)}>
      <div className="body stack">
        <label className="check">
          <input
            type="checkbox"
            checked={isDemanded}
            onChange={({ currentTarget }) => {
              demand(currentTarget.checked);
              setSaved(false);
            }}
          />
          <span className="grow">
            <b>{words.demand}</b>
            <span className="quiet">{words.demandHint}</span>
          </span>
        </label>
        {isDemanded && !before && without.length > 0 && (
          <Notice tone="warn" icon="warning">
            <p>
              <Say text={words.loses} with={{ names: <b>{named}</b> }} />
            </p>
          </Notice>
        )}
        {update.refusal?.code === "conflict" ? (
          <RefusalNotice refusal={update.refusal}>{words.ownFirst}</RefusalNotice>
        ) : (
          update.refusal !== null && <RefusalNotice refusal={update.refusal} />
        )}
      </div>
      <footer>
        <button type="submit" className="button" aria-disabled={update.isBusy}>
          {common.save}
        </button>
        <span role="status">{isSaved && common.saved}</span>
      </footer>
    </form>
  );
}
