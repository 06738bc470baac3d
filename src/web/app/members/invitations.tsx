import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign, inert } from "../../shell/foreign.tsx";
import type { RoleName } from "../api/auth.ts";
import { graphql, type ResultOf } from "../api/graph.ts";
import { useAct, useAsked } from "../api/use-act.ts";
import { Answered } from "../parts/answered.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Entry } from "../parts/entry.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { dayOf } from "../parts/moment.ts";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { useMay, usePlace, useSession } from "../place.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { GRAPH_ROLES, rolesUpTo } from "./roles.ts";
import { memberWords } from "./words.ts";

/** An organization has at most 100 invitations that wait. */
const INVITATIONS = graphql(`
  query Invitations {
    invitations(limit: 200) {
      id
      email
      role
      invitedBy
      expiresAt
    }
  }
`);
const INVITE = graphql(`
  mutation InviteMember($input: InviteMemberInput!) {
    inviteMember(input: $input) {
      invitation {
        id
      }
    }
  }
`);
const RESEND = graphql(`
  mutation ResendInvitation($id: ID!) {
    resendInvitation(input: { id: $id }) {
      invitation {
        expiresAt
      }
    }
  }
`);
const WITHDRAW = graphql(`
  mutation WithdrawInvitation($id: ID!) {
    withdrawInvitation(input: { id: $id }) {
      done
    }
  }
`);

type Invitation = ResultOf<typeof INVITATIONS>["invitations"][number];

interface InvitationsProps {
  /** Names of the members that are shown, by their ids. Who leaves takes the own invitations along. */
  readonly names: ReadonlyMap<string, string>;
  readonly isInviting: boolean;
  readonly onInvited: () => void;
}

/** Invitations that wait, and the dialog of a further one. */
export function Invitations({ names, isInviting, onInvited }: InvitationsProps): ReactElement {
  const { language } = usePlace();
  const words = memberWords[language];
  const asked = useAsked(INVITATIONS);
  const [, again] = asked;
  return (
    <section className="card" aria-labelledby="invitations">
      <header>
        <h2 id="invitations">{words.invitations}</h2>
      </header>
      <Answered asked={asked}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <div className="body stack tight">
              <p>
                <b>{words.noInvitation}</b>
              </p>
              <p className="quiet">{words.noInvitationText}</p>
            </div>
          ) : (
            <Waiting invitations={invitations} names={names} onChanged={again} />
          )
        }
      </Answered>
      {isInviting && (
        <Invite
          onClose={onInvited}
          onDone={() => {
            onInvited();
            again();
          }}
        />
      )}
    </section>
  );
}

interface WaitingProps {
  readonly invitations: readonly Invitation[];
  readonly names: ReadonlyMap<string, string>;
  readonly onChanged: () => void;
}

function Waiting({ invitations, names, onChanged }: WaitingProps): ReactElement {
  const { language, words: common } = usePlace();
  const words = memberWords[language];
  const mayManage = useMay("members:manage");
  const resend = useAct(RESEND);
  const withdraw = useAct(WITHDRAW);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const isTooSoon = resend.refusal?.code === "conflict";
  const refusal = isTooSoon ? withdraw.refusal : (resend.refusal ?? withdraw.refusal);
  const act = (what: typeof resend | typeof withdraw, { id, email }: Invitation) => {
    resend.clear();
    withdraw.clear();
    setSentTo(null);
    void what.act({ id }).then((done) => {
      if (done === null) return;
      if (what === resend) setSentTo(email);
      onChanged();
    });
  };
  return (
    <>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{common.enter.email}</th>
            <th scope="col">{words.role}</th>
            <th scope="col">{words.invitedBy}</th>
            <th scope="col">{words.runsOut}</th>
            {mayManage && (
              <th scope="col">
                <span className="out-of-sight">{words.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <tr key={invitation.id}>
              <td className="main">
                <Foreign text={invitation.email} />
              </td>
              <td data-label={words.role}>{common.roles[invitation.role.toLowerCase() as RoleName].short}</td>
              <td data-label={words.invitedBy}>
                <Foreign text={names.get(invitation.invitedBy) ?? words.other} />
              </td>
              <td data-label={words.runsOut}>{dayOf(invitation.expiresAt, language)}</td>
              {mayManage && (
                <td className="acts">
                  <button type="button" className="button plain" onClick={() => act(resend, invitation)}>
                    {words.sendAgain}
                    <span className="out-of-sight"> {inert(invitation.email)}</span>
                  </button>
                  <button type="button" className="button plain bad" onClick={() => act(withdraw, invitation)}>
                    {words.withdraw}
                    <span className="out-of-sight"> {inert(invitation.email)}</span>
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status" className="out-of-sight">
        {sentTo !== null && <Say text={words.sentAgain} with={{ email: inert(sentTo) }} />}
      </p>
      {isTooSoon && <RefusalNotice refusal={resend.refusal}>{words.tooSoon}</RefusalNotice>}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}

function Invite({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }): ReactElement {
  const { words: common, language } = usePlace();
  const words = memberWords[language];
  const { organization, role: own } = useSession();
  const invite = useAct(INVITE);
  const field = useRef<HTMLInputElement>(null);
  const [role, choose] = useState<RoleName>("accountant");
  const [isMissing, setMissing] = useState(false);
  const { refusal } = invite;
  const isMalformed = refusal?.fields.some((each) => /email$/.test(each.field)) ?? false;
  const error =
    isMissing || isMalformed ? common.enter.emailMissing : refusal?.code === "conflict" ? words.conflict : null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    invite.clear();
    const email = (field.current?.value ?? "").trim();
    setMissing(email === "");
    const done = email === "" ? null : await invite.act({ input: { email, role: GRAPH_ROLES[role] } });
    if (done !== null) onDone();
    else field.current?.focus();
  };
  return (
    <AppDialog
      isOpen
      title={<Say text={words.inviteHeading} with={{ organization: <Foreign text={organization.name} /> }} />}
      onClose={onClose}
      first={field}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Entry label={common.enter.email} hint={words.inviteHint} error={error}>
          {(control) => (
            <input
              {...control}
              ref={field}
              className="input"
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={254}
            />
          )}
        </Entry>
        <RoleChoice roles={rolesUpTo(own)} chosen={role} onChoice={choose} />
        {refusal !== null && error === null && <RefusalNotice refusal={refusal} />}
        <div className="row">
          <button type="submit" className="button main" aria-disabled={invite.isBusy}>
            <LineIcon name="mail" />
            {words.sendInvitation}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
