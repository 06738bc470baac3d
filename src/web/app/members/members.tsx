import { type ReactElement, useState } from "react";
import { Foreign, inert } from "../../shell/foreign.tsx";
import type { RoleName } from "../api/auth.ts";
import { graphql, type ResultOf } from "../api/graph.ts";
import { byOffset, type Listed, usePages } from "../api/use-pages.ts";
import { Answered } from "../parts/answered.tsx";
import { Head } from "../parts/head.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { dayOf, timeOf } from "../parts/moment.ts";
import { MoreRows } from "../parts/more-rows.tsx";
import { useMay, usePlace, useSession } from "../place.tsx";
import { Invitations } from "./invitations.tsx";
import { ChangeRole, RemoveMember, type ShownMember, TakeFactorOff } from "./member-dialogs.tsx";
import { hasFactor, mayTakeFactorOff, ROLES, ranksAtLeast } from "./roles.ts";
import { memberWords } from "./words.ts";

const MEMBERS = graphql(`
  query Members($offset: Int) {
    members(limit: 200, offset: $offset) {
      id
      name
      email
      role
      secondFactor
      joinedAt
      lastUsedAt
    }
  }
`);

type Member = ResultOf<typeof MEMBERS>["members"][number];

const pageOf = ({ members }: ResultOf<typeof MEMBERS>, before: number) => byOffset(members, before);

/** /app/members: who belongs to the organization. Who may not change it sees the list alone. */
export function Members(): ReactElement {
  const { language } = usePlace();
  const words = memberWords[language];
  const mayManage = useMay("members:manage");
  const asked = usePages(MEMBERS, pageOf);
  const [isInviting, invite] = useState(false);
  const [answer, again] = asked;
  const list = answer.kind === "answered" ? answer.data : null;
  const count = list?.rows.length ?? "…";
  return (
    <>
      <Head
        title={words.title}
        lead={
          count === 1
            ? words.leadAlone
            : (list?.hasMore ? words.leadMore : words.lead).replace("{count}", String(count))
        }
      >
        {mayManage && (
          <button type="button" className="button main" onClick={() => invite(true)}>
            <LineIcon name="invite" />
            {words.invite}
          </button>
        )}
      </Head>
      <Answered asked={asked}>
        {(members) => (
          <>
            <MemberList list={members} onChanged={again} />
            <Invitations
              names={new Map(members.rows.map(({ id, name }) => [id, name]))}
              isInviting={isInviting}
              onInvited={() => invite(false)}
            />
            <RolesExplained />
          </>
        )}
      </Answered>
    </>
  );
}

interface MemberListProps {
  readonly list: Listed<Member>;
  readonly onChanged: () => void;
}

/** What one may do to a member. */
type Act = "change" | "take factor" | "remove";

function MemberList({ list, onChanged }: MemberListProps): ReactElement {
  const { language } = usePlace();
  const words = memberWords[language];
  const mayManage = useMay("members:manage");
  const [acted, act] = useState<{ readonly on: ShownMember; readonly to: Act } | null>(null);
  const dialog = {
    onClose: () => act(null),
    onDone: () => {
      act(null);
      onChanged();
    },
  };
  return (
    <section className="card" aria-label={words.title}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{words.person}</th>
            <th scope="col">{words.role}</th>
            <th scope="col">{words.factor}</th>
            <th scope="col">{words.since}</th>
            <th scope="col">{words.lastUsed}</th>
            {mayManage && (
              <th scope="col">
                <span className="out-of-sight">{words.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {list.rows.map((member) => (
            <MemberRow key={member.id} member={member} onAct={mayManage ? (on, to) => act({ on, to }) : null} />
          ))}
        </tbody>
      </table>
      <MoreRows list={list} />
      {acted?.to === "change" && <ChangeRole member={acted.on} {...dialog} />}
      {acted?.to === "take factor" && <TakeFactorOff member={acted.on} {...dialog} />}
      {acted?.to === "remove" && <RemoveMember member={acted.on} {...dialog} />}
    </section>
  );
}

interface MemberRowProps {
  readonly member: Member;
  /** Null for who may change nobody. */
  readonly onAct: ((on: ShownMember, to: Act) => void) | null;
}

function MemberRow({ member, onAct }: MemberRowProps): ReactElement {
  const { language, words: common } = usePlace();
  const words = memberWords[language];
  const { user, role: own } = useSession();
  const shown: ShownMember = { ...member, role: member.role.toLowerCase() as RoleName };
  const { id, name, email, role } = shown;
  const behind = <span className="out-of-sight"> {inert(name)}</span>;
  return (
    <tr>
      <td className="main">
        <span className="who">
          <b>
            <Foreign text={name} /> {id === user.id && <span className="tag">{words.you}</span>}
          </b>
          <span className="quiet">
            <Foreign text={email} />
          </span>
        </span>
      </td>
      <td data-label={words.role} className="nowrap">
        {common.roles[role].short}
      </td>
      <td data-label={words.factor}>
        <Factor of={member.secondFactor} />
      </td>
      <td data-label={words.since}>{dayOf(member.joinedAt, language)}</td>
      <td data-label={words.lastUsed}>
        {member.lastUsedAt === null ? words.never : timeOf(member.lastUsedAt, language)}
      </td>
      {onAct !== null && (
        <td className="acts">
          {ranksAtLeast(own, role) && (
            <button type="button" className="button plain" onClick={() => onAct(shown, "change")}>
              {words.changeRole}
              {behind}
            </button>
          )}
          {hasFactor(member.secondFactor) && mayTakeFactorOff(own, role) && id !== user.id && (
            <button type="button" className="button plain" onClick={() => onAct(shown, "take factor")}>
              {words.takeFactor}
              {behind}
            </button>
          )}
          {ranksAtLeast(own, role) && id !== user.id && (
            <button type="button" className="button plain bad" onClick={() => onAct(shown, "remove")}>
              {words.remove}
              {behind}
            </button>
          )}
        </td>
      )}
    </tr>
  );
}

function Factor({ of }: { readonly of: string }): ReactElement {
  const { language } = usePlace();
  const { factors } = memberWords[language];
  const word = Object.hasOwn(factors, of) ? factors[of as keyof typeof factors] : of;
  // Only an organization that demands a second factor misses it.
  const tone = hasFactor(of) ? "tag ok" : of === "missing" ? "tag warn" : "tag";
  return <span className={tone}>{word}</span>;
}

function RolesExplained(): ReactElement {
  const { words: common, language } = usePlace();
  return (
    <section className="card" aria-labelledby="roles">
      <header>
        <h2 id="roles">{memberWords[language].rolesHeading}</h2>
      </header>
      <dl className="roles">
        {ROLES.map((role) => (
          <div key={role}>
            <dt>{common.roles[role].name}</dt>
            <dd>{common.roles[role].text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
