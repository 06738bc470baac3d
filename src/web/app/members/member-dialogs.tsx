import { type ReactElement, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import type { RoleName } from "../api/auth.ts";
import { graphql } from "../api/graph.ts";
import { useAct, useAsked } from "../api/use-act.ts";
import { AppDialog } from "../parts/app-dialog.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace, useSession } from "../place.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { GRAPH_ROLES, rolesUpTo } from "./roles.ts";
import { memberWords } from "./words.ts";

const CHANGE_ROLE = graphql(`
  mutation ChangeRole($id: ID!, $role: Role!) {
    changeMemberRole(input: { id: $id, role: $role }) {
      member {
        id
      }
    }
  }
`);
const REMOVE = graphql(`
  mutation RemoveMember($id: ID!) {
    removeMember(input: { id: $id }) {
      done
    }
  }
`);

const RULES = graphql(`
  query FactorDemanded {
    signInRules {
      demandsSecondFactor
    }
  }
`);
const TAKE_FACTOR = graphql(`
  mutation RemoveMemberFactors($id: ID!) {
    removeMemberFactors(input: { id: $id }) {
      member {
        id
      }
    }
  }
`);

export interface ShownMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: RoleName;
}

interface ActProps {
  readonly member: ShownMember;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ChangeRole({ member, onClose, onDone }: ActProps): ReactElement {
  const { words: common, language, keeper } = usePlace();
  const words = memberWords[language];
  const { user, role: own } = useSession();
  const change = useAct(CHANGE_ROLE);
  const { role: today } = member;
  const [chosen, choose] = useState(today);
  const isOwn = member.id === user.id;
  const submit = async () => {
    if (chosen === today) return;
    const answer = await change.act({ id: member.id, role: GRAPH_ROLES[chosen] });
    if (answer === null) return;
    // Who changed the own role may do other things from now on.
    if (isOwn) await keeper.open();
    onDone();
  };
  return (
    <AppDialog
      isOpen
      title={
        isOwn ? words.changeOwn : <Say text={words.changeHeading} with={{ name: <Foreign text={member.name} /> }} />
      }
      onClose={onClose}
    >
      <RoleChoice roles={rolesUpTo(own)} chosen={chosen} today={today} onChoice={choose} />
      <p className="quiet">{words.changeText}</p>
      {change.refusal !== null && <RefusalNotice refusal={change.refusal} />}
      <div className="row">
        <button
          type="button"
          className="button main"
          aria-disabled={change.isBusy || chosen === today}
          onClick={() => void submit()}
        >
          {words.submitRole.replace("{role}", common.roles[chosen].short)}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {common.cancel}
        </button>
      </div>
    </AppDialog>
  );
}

export function RemoveMember({ member, onClose, onDone }: ActProps): ReactElement {
  const { language } = usePlace();
  const words = memberWords[language];
  const { organization } = useSession();
  const remove = useAct(REMOVE);
  const strong = (text: string) => (
    <b>
      <Foreign text={text} />
    </b>
  );
  return (
    <ConfirmDialog
      title={<Say text={words.removeHeading} with={{ name: <Foreign text={member.name} /> }} />}
      submit={words.remove}
      isBusy={remove.isBusy}
      refusal={remove.refusal}
      onClose={onClose}
      onSubmit={() => void remove.act({ id: member.id }).then((done) => done !== null && onDone())}
    >
      <p>
        <Say
          text={words.removeText}
          with={{ organization: strong(organization.name), email: <Foreign text={member.email} /> }}
        />
      </p>
      <ul className="follows">
        {words.follows.map((text) => (
          <li key={text}>
            <Say text={text} />
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

export function TakeFactorOff({ member, onClose, onDone }: ActProps): ReactElement {
  const { language } = usePlace();
  const words = memberWords[language];
  const { organization } = useSession();
  const take = useAct(TAKE_FACTOR);
  const [rules] = useAsked(RULES);
  const isDemanded = rules.kind === "answered" && rules.data.signInRules?.demandsSecondFactor === true;
  const name = <Foreign text={member.name} />;
  return (
    <ConfirmDialog
      title={<Say text={words.factorHeading} with={{ name }} />}
      submit={words.takeFactor}
      isBusy={take.isBusy}
      refusal={take.refusal}
      {...(take.refusal?.code === "forbidden" ? { refused: words.factorForbidden } : {})}
      onClose={onClose}
      onSubmit={() => void take.act({ id: member.id }).then((done) => done !== null && onDone())}
    >
      <p>
        <Say text={words.factorText} with={{ name }} />
      </p>
      <ul className="follows">
        {words.factorFollows.map((text) => (
          <li key={text}>
            <Say text={text} />
          </li>
        ))}
        {isDemanded && (
          <li>
            <Say text={words.factorDemanded} with={{ organization: <Foreign text={organization.name} /> }} />
          </li>
        )}
      </ul>
    </ConfirmDialog>
  );
}
