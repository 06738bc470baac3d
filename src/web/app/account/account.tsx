import { type ReactElement, useState } from "react";
import { Fact, FactList } from "../../design/fact-list.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { LANGUAGE_NAMES } from "../../shell/words.ts";
import type { Refusal } from "../api/refusal.ts";
import { Head } from "../parts/head.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace, useSession } from "../place.tsx";
import { accountWords } from "./words.ts";

/** /app/account: what belongs to the person, in every organization. */
export function Account(): ReactElement {
  const { language } = usePlace();
  const words = accountWords[language];
  return (
    <>
      <Head title={words.title} lead={words.lead} />
      <You />
      <Organizations />
    </>
  );
}

function You(): ReactElement {
  const { language } = usePlace();
  const words = accountWords[language];
  const { user } = useSession();
  return (
    <Setting title={words.you} text={words.youText}>
      <div className="body stack">
        <FactList>
          <Fact term={words.name}>
            <Foreign text={user.name} />
          </Fact>
          <Fact term={words.language}>{LANGUAGE_NAMES[language]}</Fact>
          <Fact term={words.email}>
            <Foreign text={user.email} />
            <p className="hint">{words.emailHint}</p>
          </Fact>
        </FactList>
      </div>
    </Setting>
  );
}

function Organizations(): ReactElement {
  const { language, keeper, words: common } = usePlace();
  const words = accountWords[language];
  const { organization, organizations } = useSession();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return (
    <Setting title={words.organizations} text={words.organizationsText}>
      <ul className="items acts">
        {organizations.map(({ id, name, role }) => (
          <li key={id}>
            <span className="ico">
              <LineIcon name="organization" />
            </span>
            <div className="grow">
              <p>
                <b>
                  <Foreign text={name} />
                </b>{" "}
                {id === organization.id && <span className="tag ok">{words.here}</span>}
              </p>
              <p className="quiet small">{common.roles[role].name}</p>
            </div>
            {id !== organization.id && (
              <button type="button" className="button" onClick={() => void keeper.switchTo(id).then(setRefusal)}>
                {words.go}
                <span className="out-of-sight"> {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </Setting>
  );
}
