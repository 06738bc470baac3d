import { type ReactElement, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign, inert } from "../../shell/foreign.tsx";
import { graphql } from "../api/graph.ts";
import type { Refusal } from "../api/refusal.ts";
import { useAct } from "../api/use-act.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace, useSession } from "../place.tsx";
import { accountWords } from "./words.ts";

const LEAVE = graphql(`
  mutation LeaveOrganization($id: ID!) {
    leaveOrganization(input: { organizationId: $id }) {
      done
    }
  }
`);

/** Where the person is a member: the way there, and the way out of the one that is open. */
export function Organizations(): ReactElement {
  const { language, keeper, words: common } = usePlace();
  const words = accountWords[language];
  const { organization, organizations } = useSession();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isLeaving, leaveThis] = useState(false);
  const leave = useAct(LEAVE);
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
            {id === organization.id ? (
              <button type="button" className="button" onClick={() => leaveThis(true)}>
                {words.leave}
              </button>
            ) : (
              <button type="button" className="button" onClick={() => void keeper.switchTo(id).then(setRefusal)}>
                {words.go}
                <span className="out-of-sight"> {inert(name)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {isLeaving && (
        <ConfirmDialog
          title={<Say text={words.leaveHeading} with={{ organization: <Foreign text={organization.name} /> }} />}
          submit={words.leave}
          isBusy={leave.isBusy}
          refusal={leave.refusal}
          onClose={() => leaveThis(false)}
          onSubmit={() =>
            void leave.act({ id: organization.id }).then((done) => {
              // The session has ended with the membership.
              if (done !== null) location.assign("/app");
            })
          }
        >
          <p>{words.leaveText}</p>
        </ConfirmDialog>
      )}
    </Setting>
  );
}
