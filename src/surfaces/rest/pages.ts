/** A list as platform.page writes it. Read from the text, so that lists are not parsed to be sent. */
export interface Page {
  /** All of it, as it came. */
  readonly text: string;
  /** The array `items`, as JSON text; null where another member stands behind it, such as `chain` of audit events. */
  readonly items: string | null;
  /** As many as lists count at most where {@link isCapped}. */
  readonly total: number;
  /** Whether there are more than `total`. */
  readonly isCapped: boolean;
  readonly limit: number;
  readonly offset: number;
}

const PAGE_BEGIN = '{"items":';
const PAGE_END = /,"total":(\d+),"limit":(\d+),"offset":(\d+)(,"total_capped":true)?\}$/;
/** The end of a page is shorter than this. */
const MOST_END = 120;

/** The page that an answer is; null for anything else. */
export function readPage(text: string): Page | null {
  const end = PAGE_END.exec(text.slice(-MOST_END));
  if (end === null || !text.startsWith(PAGE_BEGIN)) return null;
  const items = text.slice(PAGE_BEGIN.length, text.length - end[0].length);
  return {
    text,
    items: items.endsWith("]") ? items : null,
    total: Number(end[1]),
    limit: Number(end[2]),
    offset: Number(end[3]),
    isCapped: end[4] !== undefined,
  };
}

/** Link (RFC 8288) to the next and the previous page; null where there is neither. */
export function linkHeader({ text, total, isCapped, limit, offset }: Page, url: string): string | null {
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const pageAt = (newOffset: number) => {
    const parameters = new URLSearchParams(query);
    parameters.set("limit", String(limit));
    parameters.set("offset", String(newOffset));
    return `<${path}?${parameters}>`;
  };
  const links: string[] = [];
  // A capped total says nothing about the end: who follows `next` finds it as an empty page, and no further link there.
  const mayGoOn = offset + limit < total || (isCapped && !text.startsWith(`${PAGE_BEGIN}[]`));
  if (mayGoOn) links.push(`${pageAt(offset + limit)}; rel="next"`);
  if (offset > 0) links.push(`${pageAt(Math.max(0, offset - limit))}; rel="prev"`);
  return links.length > 0 ? links.join(", ") : null;
}
