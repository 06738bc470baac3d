import { type ReactElement, type SubmitEvent, useMemo, useRef, useState } from "react";
import { Provider } from "urql";
import { Say } from "../../design/say.tsx";
import { Foreign, inert } from "../../shell/foreign.tsx";
import { graphClient, graphql, type ResultOf } from "../api/graph.ts";
import { useAct } from "../api/use-act.ts";
import { byCursor, usePages } from "../api/use-pages.ts";
import { Answered } from "../parts/answered.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Entry } from "../parts/entry.tsx";
import { Head } from "../parts/head.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { timeOf } from "../parts/moment.ts";
import { MoreRows } from "../parts/more-rows.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { useMay, usePlace } from "../place.tsx";
import { ScopeList, tickedIn } from "./scope-list.tsx";
import { scopesForKeys } from "./scopes.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { Empty } from "./tokens.tsx";
import { scopeInWords, tokenWords } from "./words.ts";
import { useZones, ZoneChoice, zonesIn } from "./zone-choice.tsx";

const KEYS = graphql(`
  query DnsKeys($after: Cursor) {
    dnsKeys(first: 200, after: $after) {
      nodes {
        id
        name
        prefix
        scopes
        acmeOnly
        zones
        lastUsedAt
        revokedAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateDnsKey($input: CreateDnsKeyInput!) {
    createDnsKey(input: $input) {
      secret
    }
  }
`);
const REVOKE = graphql(`
  mutation RevokeDnsKey($id: ID!) {
    revokeDnsKey(input: { id: $id }) {
      dnsKey {
        id
      }
    }
  }
`);

const pageOf = ({ dnsKeys }: ResultOf<typeof KEYS>) => byCursor(dnsKeys);

/** What keys may hold, whatever the environment of the page: they act in live. */
const ALL = scopesForKeys(["zone:read", "zone:write", "record:read", "record:write"]);

/** /app/dns-keys: keys with which programs change zones. They act in live alone, and so both environments show the same. */
export function DnsKeys(): ReactElement {
  const { keeper } = usePlace();
  const live = useMemo(() => graphClient(keeper, "live"), [keeper]);
  return (
    <Provider value={live}>
      <Keys />
    </Provider>
  );
}

function Keys(): ReactElement {
  const { language } = usePlace();
  const { tokens: common, keys: words, ...others } = tokenWords[language];
  const asked = usePages(KEYS, pageOf);
  const zones = useZones();
  const [, again] = asked;
  const [isCreating, create] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const revoke = useAct(REVOKE);
  return (
    <>
      <Head title={words.title} lead={words.lead}>
        <button type="button" className="button main" onClick={() => create(true)}>
          <LineIcon name="add" />
          {words.create}
        </button>
      </Head>
      <Answered asked={asked}>
        {(list) => {
          const shown = list.rows.filter(({ revokedAt }) => revokedAt === null);
          if (shown.length === 0 && !list.hasMore) return <Empty title={words.empty} text={words.emptyText} />;
          return (
            <section className="card" aria-label={words.title}>
              <table className="cards">
                <thead>
                  <tr>
                    <th scope="col">{common.name}</th>
                    <th scope="col">{common.prefix}</th>
                    <th scope="col">{common.may}</th>
                    <th scope="col">{words.zones}</th>
                    <th scope="col">{common.lastUsed}</th>
                    <th scope="col">
                      <span className="out-of-sight">{common.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map(({ id, name, prefix, scopes, acmeOnly, zones: ids, lastUsedAt }) => (
                    <tr key={id}>
                      <td className="main">
                        <Foreign text={name} />
                      </td>
                      <td data-label={common.prefix} className="mono">
                        {prefix}…
                      </td>
                      <td data-label={common.may}>
                        {acmeOnly ? words.onlyAcme : scopes.map((scope) => scopeInWords(scope, others)).join(", ")}
                      </td>
                      <td data-label={words.zones}>
                        {ids === null ? words.everyZone : <ZoneNames ids={ids} of={zones} />}
                      </td>
                      <td data-label={common.lastUsed}>
                        {lastUsedAt === null ? common.never : timeOf(lastUsedAt, language)}
                      </td>
                      <td className="acts">
                        <button
                          type="button"
                          className="button plain bad"
                          onClick={() => {
                            revoke.clear();
                            setRevoked({ id, name });
                          }}
                        >
                          {common.revoke}
                          <span className="out-of-sight"> {name}</span>
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <MoreRows list={{ ...list, rows: shown }} />
            </section>
          );
        }}
      </Answered>
      {isCreating && (
        <CreateKey
          zones={zones}
          onClose={() => create(false)}
          onCreated={(made) => {
            create(false);
            setSecret(made);
            again();
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog title={words.createdHeading} secret={secret} sample={null} onClose={() => setSecret(null)} />
      )}
      {revoked !== null && (
        <ConfirmDialog
          title={<Say text={common.revokeHeading} with={{ name: <Foreign text={revoked.name} /> }} />}
          submit={common.revoke}
          isBusy={revoke.isBusy}
          refusal={revoke.refusal}
          onClose={() => setRevoked(null)}
          onSubmit={() =>
            void revoke.act({ id: revoked.id }).then((done) => {
              if (done === null) return;
              setRevoked(null);
              again();
            })
          }
        >
          <p>{words.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface ZoneNamesProps {
  readonly ids: readonly number[];
  readonly of: ReturnType<typeof useZones>;
}

/** The names of zones. How many there are, while the names are not known. */
function ZoneNames({ ids, of: [zones] }: ZoneNamesProps): ReactElement {
  const { language } = usePlace();
  const { keys: words } = tokenWords[language];
  const names = (zones.kind === "answered" ? zones.data.rows : []).filter(({ id }) => ids.includes(Number(id)));
  if (names.length < ids.length) return <>{words.otherZones.replace("{count}", String(ids.length))}</>;
  return <span className="break">{names.map(({ name }) => inert(name)).join(", ")}</span>;
}

interface CreateKeyProps {
  readonly zones: ReturnType<typeof useZones>;
  readonly onClose: () => void;
  readonly onCreated: (secret: string) => void;
}

function CreateKey({ zones: known, onClose, onCreated }: CreateKeyProps): ReactElement {
  const { language, words: frame } = usePlace();
  const { tokens: common, keys: words } = tokenWords[language];
  const create = useAct(CREATE);
  const name = useRef<HTMLInputElement>(null);
  const [isAcme, setAcme] = useState(false);
  const mayChooseZones = useMay("zone:read");
  const [lacks, setLacks] = useState({ name: false, scopes: false, zones: false });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = (name.current?.value ?? "").trim();
    const scopes = tickedIn(event.currentTarget);
    const zones = zonesIn(event.currentTarget);
    const wrong = {
      name: typed === "" || [...typed].length > 100,
      scopes: !isAcme && scopes.length === 0,
      zones: zones?.length === 0,
    };
    setLacks(wrong);
    if (wrong.name) return name.current?.focus();
    if (wrong.scopes || wrong.zones) return;
    const made = await create.act({
      input: { name: typed, ...(isAcme ? { acmeOnly: true } : { scopes }), ...(zones === null ? {} : { zones }) },
    });
    const secret = made?.createDnsKey?.secret;
    if (secret) onCreated(secret);
  };
  return (
    <AppDialog isOpen title={words.createHeading} onClose={onClose} first={name}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Entry label={common.name} hint={common.nameHint} error={lacks.name ? common.nameMissing : null}>
          {(control) => <input {...control} ref={name} className="input" autoComplete="off" maxLength={200} />}
        </Entry>
        <label className="check">
          <input type="checkbox" checked={isAcme} onChange={({ currentTarget }) => setAcme(currentTarget.checked)} />
          <span className="grow">
            <b>{words.acme}</b>
            <span className="quiet">{words.acmeHint}</span>
          </span>
        </label>
        {!isAcme && <ScopeList scopes={ALL} isMissing={lacks.scopes} />}
        {mayChooseZones && <ZoneChoice asked={known} isMissing={lacks.zones} />}
        {create.refusal !== null && <RefusalNotice refusal={create.refusal} />}
        <div className="row">
          <button type="submit" className="button main" aria-disabled={create.isBusy}>
            {words.submit}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {frame.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
