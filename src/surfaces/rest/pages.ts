import type { FastifyRequest } from "fastify";

/** The end of a page as platform.page writes it. Read from the text, so that lists are not parsed to be sent. */
const PAGE_END = /,"total":(\d+),"limit":(\d+),"offset":(\d+)(,"total_capped":true)?\}$/;

/** Link (RFC 8288) to the next and previous page of a list; null for anything else. */
export function linkHeader(request: FastifyRequest, body: string): string | null {
  const end = PAGE_END.exec(body.slice(-120));
  if (end === null) return null;
  const [total, limit, offset] = [Number(end[1]), Number(end[2]), Number(end[3])];
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(request.url) ?? [];
  const pageAt = (newOffset: number) => {
    const parameters = new URLSearchParams(query);
    parameters.set("limit", String(limit));
    parameters.set("offset", String(newOffset));
    return `<${path}?${parameters}>`;
  };
  const links: string[] = [];
  // A capped total says nothing about the end: who follows `next` finds it as an empty page, and no further link there.
  const mayGoOn = offset + limit < total || (end[4] !== undefined && !body.startsWith('{"items":[]'));
  if (mayGoOn) links.push(`${pageAt(offset + limit)}; rel="next"`);
  if (offset > 0) links.push(`${pageAt(Math.max(0, offset - limit))}; rel="prev"`);
  return links.length > 0 ? links.join(", ") : null;
}
