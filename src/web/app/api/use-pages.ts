import type { TadaDocumentNode } from "gql.tada";
import { useCallback, useEffect, useRef, useState } from "react";
import { type AnyVariables, useClient } from "urql";
import { refusalOfGraph } from "./graph.ts";
import type { Refusal } from "./refusal.ts";
import type { Asked } from "./use-act.ts";

/** The most rows that the service answers at once. */
export const PAGE_ROWS = 200;

/** One answer of a list, and what asks for the next; null after the last row. */
interface PageOf<Row, Variables> {
  readonly rows: readonly Row[];
  readonly next: Variables | null;
}

/** What a list shows so far. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  /** Why the newest request was refused: the rows are those of before. */
  readonly refusal: Refusal | null;
  readonly more: () => void;
}

type Shown<Row> = Asked<Pick<Listed<Row>, "rows" | "hasMore" | "refusal">>;

/**
 * A list that the service answers in pages. Each request reads all pages that are shown, so that no row stands twice or is left out after
 * a change.
 * @param query asks for the first page without variables
 * @param pageOf reads a page, after as many rows as `before`; like the query, it stays the same
 */
export function usePages<Data, Variables extends AnyVariables, Row>(
  query: TadaDocumentNode<Data, Variables>,
  pageOf: (data: Data, before: number) => PageOf<Row, Variables>,
): readonly [Asked<Listed<Row>>, again: () => void] {
  const client = useClient();
  const [shown, show] = useState<Shown<Row>>({ kind: "asking" });
  const [isBusy, setBusy] = useState(false);
  const pages = useRef(1);
  const newest = useRef(0);
  const load = useCallback(
    async (wanted: number) => {
      newest.current += 1;
      const request = newest.current;
      setBusy(true);
      let rows: readonly Row[] = [];
      let next: Variables | null = {} as Variables;
      let refusal: Refusal | null = null;
      for (let page = 0; page < wanted && next !== null && refusal === null; page += 1) {
        const { data, error } = await client.query<Data, Variables>(query, next).toPromise();
        if (request !== newest.current) return;
        if (error !== undefined) refusal = refusalOfGraph(error);
        else if (data !== undefined) {
          const read = pageOf(data, rows.length);
          rows = [...rows, ...read.rows];
          next = read.next;
        }
      }
      setBusy(false);
      if (refusal === null) pages.current = wanted;
      const read: Shown<Row> =
        refusal === null
          ? { kind: "answered", data: { rows, hasMore: next !== null, refusal } }
          : { kind: "refused", refusal };
      // What is on the page stays.
      show((before) =>
        refusal !== null && before.kind === "answered" ? { kind: "answered", data: { ...before.data, refusal } } : read,
      );
    },
    [client, query, pageOf],
  );
  useEffect(() => {
    void load(1);
  }, [load]);
  const again = () => void load(pages.current);
  if (shown.kind !== "answered") return [shown, again];
  return [
    {
      kind: "answered",
      data: {
        ...shown.data,
        isBusy,
        more: () => {
          if (!isBusy) void load(pages.current + 1);
        },
      },
    },
    again,
  ];
}

interface Connection<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A page of a list with cursors. */
export const byCursor = <Row>({ nodes, pageInfo }: Connection<Row>): PageOf<Row, { after?: string | null }> => ({
  rows: nodes,
  next: pageInfo.hasNextPage ? { after: pageInfo.endCursor } : null,
});

/** A page of a list that skips rows. A full page may be the last one: then the next is empty. */
export const byOffset = <Row>(rows: readonly Row[], before: number): PageOf<Row, { offset?: number | null }> => ({
  rows,
  next: rows.length < PAGE_ROWS ? null : { offset: before + rows.length },
});
