import { type ReactElement, useState } from "react";
import { Foreign } from "../../shell/foreign.tsx";
import { graphql, type ResultOf } from "../api/graph.ts";
import { byCursor, usePages } from "../api/use-pages.ts";
import { Answered } from "../parts/answered.tsx";
import { EntryError } from "../parts/entry.tsx";
import { MoreRows } from "../parts/more-rows.tsx";
import { usePlace } from "../place.tsx";
import { tokenWords } from "./words.ts";

const ZONES = graphql(`
  query Zones($after: Cursor) {
    dnsZones(first: 200, after: $after) {
      nodes {
        id
        name
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const pageOf = ({ dnsZones }: ResultOf<typeof ZONES>) => byCursor(dnsZones);

export const useZones = () => usePages(ZONES, pageOf);

interface ZoneChoiceProps {
  readonly asked: ReturnType<typeof useZones>;
  readonly isMissing: boolean;
}

/** The zones that a key is limited to: all of them, unless some are ticked. Nothing where there is no zone yet. */
export function ZoneChoice({ asked, isMissing }: ZoneChoiceProps): ReactElement | null {
  const { language } = usePlace();
  const { keys: words } = tokenWords[language];
  const [isLimited, limit] = useState(false);
  const [answer] = asked;
  if (answer.kind === "answered" && answer.data.rows.length === 0) return null;
  return (
    <fieldset className="stack tight">
      <legend>{words.zones}</legend>
      {[false, true].map((some) => (
        <label key={String(some)} className="check">
          <input
            type="radio"
            name="zones"
            value={some ? "some" : "all"}
            checked={isLimited === some}
            onChange={() => limit(some)}
          />
          <span>{some ? words.someZones : words.allZones}</span>
        </label>
      ))}
      {isLimited && (
        <Answered asked={asked}>
          {(list) => (
            <>
              <div className="ticks within">
                {list.rows.map(({ id, name }) => (
                  <label key={id} className="check">
                    <input type="checkbox" name="zone" value={id} />
                    <span className="grow break">
                      <Foreign text={name} />
                    </span>
                  </label>
                ))}
              </div>
              <MoreRows list={list} />
            </>
          )}
        </Answered>
      )}
      {isMissing && <EntryError text={words.zonesMissing} />}
    </fieldset>
  );
}

/** The zones that were chosen in a form; null for all. */
export function zonesIn(form: HTMLFormElement): number[] | null {
  const given = new FormData(form);
  return given.get("zones") === "some" ? given.getAll("zone").map(Number) : null;
}
