import { MOST_JSON_BYTES } from "../../../surfaces/http/json.ts";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";

/** What the key of the request may do. SQL does not know the limits of requests, which are this gateway's. */
export const readDnsMe = operation({
  name: "readDnsMe",
  command: "read_dns_me",
  answers: { schema: "DnsMe" },
  errors: ["missing_scope"],
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/me",
    status: 200,
    tag: "Keys",
    summary: "Read the rights and limits of the key",
  },
  run: async ({ call, parts }) => {
    const answer = await call("read_dns_me", {});
    const { limits, ...members } = JSON.parse(answer.body ?? "") as { readonly limits: object };
    const requests = { requests_per_minute: parts.limits.tokenRequestsPerMinute, json_bytes: MOST_JSON_BYTES };
    return { ...answer, body: JSON.stringify({ ...members, limits: { ...limits, ...requests } }) };
  },
});
