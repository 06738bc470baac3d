import { type ReactElement, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { graphql, type ResultOf } from "../api/graph.ts";
import { useAct } from "../api/use-act.ts";
import { byCursor, usePages } from "../api/use-pages.ts";
import { Answered } from "../parts/answered.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Head } from "../parts/head.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { dayOf, timeOf } from "../parts/moment.ts";
import { MoreRows } from "../parts/more-rows.tsx";
import { usePlace, useSession } from "../place.tsx";
import { CreateToken } from "./create-token.tsx";
import { scopesForTokens } from "./scopes.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { scopeInWords, tokenWords } from "./words.ts";

const TOKENS = graphql(`
  query Tokens($after: Cursor) {
    apiTokens(first: 200, after: $after) {
      nodes {
        id
        name
        environment
        prefix
        scopes
        expiresAt
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
const REVOKE = graphql(`
  mutation RevokeToken($id: ID!) {
    revokeApiToken(input: { id: $id }) {
      apiToken {
        id
      }
    }
  }
`);

const pageOf = ({ apiTokens }: ResultOf<typeof TOKENS>) => byCursor(apiTokens);

/** /app/tokens: the tokens of this environment. */
export function Tokens(): ReactElement {
  const { language, keeper, facts } = usePlace();
  const words = tokenWords[language].tokens;
  const isTest = keeper.environment === "test";
  const asked = usePages(TOKENS, pageOf);
  const [isCreating, create] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const revoke = useAct(REVOKE);
  const [, again] = asked;
  return (
    <>
      <Head title={isTest ? words.titleTest : words.title} lead={words.lead}>
        <button type="button" className="button main" onClick={() => create(true)}>
          <LineIcon name="add" />
          {words.create}
        </button>
      </Head>
      <Answered asked={asked}>
        {(list) => {
          const shown = list.rows.filter(
            ({ environment, revokedAt }) => environment === (isTest ? "TEST" : "LIVE") && revokedAt === null,
          );
          if (shown.length === 0 && !list.hasMore) return <Empty title={words.empty} text={words.emptyText} />;
          return (
            <section className="card" aria-label={words.title}>
              <table className="cards">
                <thead>
                  <tr>
                    <th scope="col">{words.name}</th>
                    <th scope="col">{words.prefix}</th>
                    <th scope="col">{words.may}</th>
                    <th scope="col">{words.lastUsed}</th>
                    <th scope="col">{words.expires}</th>
                    <th scope="col">
                      <span className="out-of-sight">{words.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map(({ id, name, prefix, scopes, lastUsedAt, expiresAt }) => (
                    <tr key={id}>
                      <td className="main">
                        <Foreign text={name} />
                      </td>
                      <td data-label={words.prefix} className="mono">
                        {prefix}…
                      </td>
                      <td data-label={words.may}>
                        <Scopes scopes={scopes} />
                      </td>
                      <td data-label={words.lastUsed}>
                        {lastUsedAt === null ? words.never : timeOf(lastUsedAt, language)}
                      </td>
                      <td data-label={words.expires}>
                        {expiresAt === null ? words.neverExpires : dayOf(expiresAt, language)}
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
                          {words.revoke}
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
        <CreateToken
          environment={keeper.environment}
          onClose={() => create(false)}
          onCreated={(made) => {
            create(false);
            setSecret(made);
            again();
          }}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title={isTest ? words.createdHeadingTest : words.createdHeading}
          secret={secret}
          sample={`curl ${facts.public_url}/api/v1/me \\\n  -H "Authorization: Bearer $SELO_TOKEN"`}
          onClose={() => setSecret(null)}
        />
      )}
      {revoked !== null && (
        <ConfirmDialog
          title={<Say text={words.revokeHeading} with={{ name: <Foreign text={revoked.name} /> }} />}
          submit={words.revoke}
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

/** What a token may do, in a word where it is everything. */
function Scopes({ scopes }: { readonly scopes: readonly string[] }): ReactElement {
  const { language } = usePlace();
  const words = tokenWords[language];
  const own = scopesForTokens(useSession().scopes);
  if (own.length > 0 && own.every((scope) => scopes.includes(scope))) return <>{words.tokens.all}</>;
  return <>{scopes.map((scope) => scopeInWords(scope, words)).join(", ")}</>;
}

export function Empty({ title, text }: { readonly title: string; readonly text: string }): ReactElement {
  return (
    <section className="card">
      <div className="body stack tight">
        <p>
          <b>{title}</b>
        </p>
        <p className="quiet">{text}</p>
      </div>
    </section>
  );
}
