import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";

/** Reads a zone, with its entity tag. */
export const getDnsZone = operation({
  name: "getDnsZone",
  command: "get_dns_zone",
  made: ["if_match"],
  answers: { schema: "DnsZone", isTagged: true },
  errors: ["not_found", "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/orgs/{org_id}/zones/{zone_id}",
    status: 200,
    tag: "Zones",
    summary: "Read a zone",
  },
  run: async ({ call }, input) => {
    const done = await call("get_dns_zone", input);
    const { tag, answer } = JSON.parse(done.body ?? "null") as { readonly tag: string; readonly answer: unknown };
    return { ...done, body: JSON.stringify(answer), headers: { etag: `"${tag}"` } };
  },
});
