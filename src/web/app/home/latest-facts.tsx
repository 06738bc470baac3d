import type { ReactElement } from "react";
import { Foreign } from "../../shell/foreign.tsx";
import { graphql, type ResultOf } from "../api/graph.ts";
import { useAsked } from "../api/use-act.ts";
import { Answered } from "../parts/answered.tsx";
import { timeOf } from "../parts/moment.ts";
import { usePlace } from "../place.tsx";
import { actionInWords } from "./action-words.ts";
import { homeWords } from "./words.ts";

const LATEST = graphql(`
  query LatestFacts {
    auditEvents(first: 5) {
      nodes {
        id
        action
        actorType
        actorId
        occurredAt
        token {
          name
        }
      }
    }
    members(limit: 200) {
      id
      name
    }
  }
`);

type Fact = ResultOf<typeof LATEST>["auditEvents"]["nodes"][number];

/** The newest events of the audit trail of this environment: what, who and when. */
export function LatestFacts(): ReactElement {
  const { language } = usePlace();
  const words = homeWords[language];
  return (
    <section className="card" aria-labelledby="latest">
      <header>
        <h2 id="latest">{words.latest}</h2>
      </header>
      <Answered asked={useAsked(LATEST)}>
        {({ auditEvents: { nodes }, members }) =>
          nodes.length === 0 ? (
            <p className="body quiet">{words.nothingYet}</p>
          ) : (
            <table className="cards">
              <thead className="out-of-sight">
                <tr>
                  <th scope="col">{words.what}</th>
                  <th scope="col">{words.who}</th>
                  <th scope="col">{words.when}</th>
                </tr>
              </thead>
              <tbody>
                {nodes.map((fact) => (
                  <tr key={fact.id}>
                    <td className="main">
                      {actionInWords(fact.action, language) ?? <span className="mono">{fact.action}</span>}
                    </td>
                    <td data-label={words.who}>
                      <Who did={fact} names={new Map(members.map(({ id, name }) => [id, name]))} />
                    </td>
                    <td data-label={words.when}>{timeOf(fact.occurredAt, language)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answered>
    </section>
  );
}

interface WhoProps {
  readonly did: Fact;
  /** Names of members, by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** The name of the member or of the token; otherwise what kind of actor it was. */
function Who({ did: { actorType, actorId, token }, names }: WhoProps): ReactElement {
  const { language } = usePlace();
  const { actors } = homeWords[language];
  const name = token?.name ?? names.get(actorId ?? "");
  if (name !== undefined) return <Foreign text={name} />;
  return <>{Object.hasOwn(actors, actorType) ? actors[actorType as keyof typeof actors] : actorType}</>;
}
