import { AppError } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import { readPage } from "../../../surfaces/rest/pages.ts";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { asciiName } from "./ascii-name.ts";

/** Records that are read at once: a list without a limit is read in pieces of this many, so that no zone fills the memory. */
const PIECE = 5_000;

/** Lists records. SQL does not know A-labels. */
export const listDnsRecords = operation({
  name: "listDnsRecords",
  command: "list_dns_records",
  made: ["if_match"],
  answers: { schema: "DnsRecordList", isTagged: true },
  errors: ["not_found", "conflict", "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/orgs/{org_id}/zones/{zone_id}/records",
    status: 200,
    tag: "Records",
    summary: "List the records of a zone by name and type",
    description:
      "All records, including disabled ones, or with `limit` a page of them. The SOA and NS records at the apex are served but not stored, so they are not in the list. A list of more than 5,000 records is sent as it is read: if the zone changes before the first byte, the answer is 409 `conflict`, and if it changes later, the connection is closed in the middle of the list.",
  },
  run: async ({ call }, { name, limit, ...others }) => {
    const filters = { ...others, ...(typeof name === "string" ? { name: asciiName(name) } : {}) };
    const listed = async (place: object) => readListed(await call("list_dns_records", { ...filters, ...place }));
    const first = await listed({ limit: limit ?? PIECE });
    const headers = { etag: first.etag };
    if (limit !== undefined || first.nextCursor === null) return { ...first.answer, headers };
    const after = async (cursor: string) => {
      const next = await listed({ limit: PIECE, offset: 0, cursor });
      if (next.etag !== first.etag)
        throw new AppError(409, "conflict", "The zone changed while its records were read. Repeat the request.");
      return next;
    };
    const second = await after(first.nextCursor);
    return {
      headers,
      pieces: (async function* () {
        yield first.items;
        let last = second;
        yield last.items;
        while (last.nextCursor !== null) {
          last = await after(last.nextCursor);
          yield last.items;
        }
      })(),
    };
  },
});

interface Listed {
  /** The page, as the surface reads it. */
  readonly answer: Answer;
  readonly etag: string;
  /** JSON text of an array. */
  readonly items: string;
  readonly nextCursor: string | null;
}

const TAG = /^\{"tag":"([^"]*)","answer":/;

/** Reads `{tag, answer}` of the command from its text, so that thousands of records are not parsed here. */
function readListed(answer: Answer): Listed {
  const text = answer.body ?? "";
  const [begin = "", tag] = TAG.exec(text) ?? [];
  const body = text.slice(begin.length, -1);
  const page = readPage(body);
  if (page?.items == null) throw new Error("list_dns_records answered no page");
  return { answer: { ...answer, body }, etag: `"${tag}"`, items: page.items, nextCursor: page.nextCursor };
}
