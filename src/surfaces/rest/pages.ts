/** A list as platform.page writes it. Its facts are read from the text, so that lists are sent without parsing them. */
export interface Page {
  /** The whole text, unchanged. */
  readonly text: string;
  /** The array `items`, as JSON text; null if another member follows it, such as `chain` of audit events. */
  readonly items: string | null;
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
  readonly limit: number;
  /** The counts of a page by offset; null for a page by cursor. */
  readonly counted: Counted | null;
}

export interface Counted {
  /** Number of rows; if {@link isCapped}, the largest number that lists count. */
  readonly total: number;
  /** Whether there are more rows than `total`. */
  readonly isCapped: boolean;
  readonly offset: number;
}

const PAGE_BEGIN = '{"items":';
const PAGE_END =
  /,"next_cursor":(?:null|"([\w-]+)")(?:,"total":(\d+))?,"limit":(\d+)(?:,"offset":(\d+))?(,"total_capped":true)?\}$/;
/** The end of a page's text is shorter than this: a cursor has at most 600 characters. */
const MOST_END = 720;

/** The page in an answer; null for any other answer. */
export function readPage(text: string): Page | null {
  const end = PAGE_END.exec(text.slice(-MOST_END));
  if (end === null || !text.startsWith(PAGE_BEGIN)) return null;
  const [whole, nextCursor = null, total, limit, offset, capped] = end;
  const items = text.slice(PAGE_BEGIN.length, text.length - whole.length);
  return {
    text,
    items: items.endsWith("]") ? items : null,
    nextCursor,
    limit: Number(limit),
    counted:
      total === undefined ? null : { total: Number(total), isCapped: capped !== undefined, offset: Number(offset) },
  };
}

/**
 * Link (RFC 8288) to the next and the previous page; null if there is neither. A list that began with an offset continues with
 * offsets, any other list with cursors.
 * @param address the address of the page, with its query
 */
export function linkHeader({ nextCursor, limit, counted }: Page, address: string): string | null {
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(address) ?? [];
  const at = (place: Readonly<Record<string, string>>) => {
    const parameters = new URLSearchParams(query);
    for (const name of ["cursor", "offset"]) parameters.delete(name);
    for (const [name, value] of Object.entries({ limit: String(limit), ...place })) parameters.set(name, value);
    return `<${path}?${parameters}>`;
  };
  const offset = new URLSearchParams(query).has("offset") ? (counted?.offset ?? null) : null;
  const links: string[] = [];
  if (nextCursor !== null)
    links.push(`${at(offset === null ? { cursor: nextCursor } : { offset: String(offset + limit) })}; rel="next"`);
  if (offset !== null && offset > 0) links.push(`${at({ offset: String(Math.max(0, offset - limit)) })}; rel="prev"`);
  return links.length > 0 ? links.join(", ") : null;
}
