import { MOST_JSON_BYTES } from "../../surfaces/http/json.ts";
import { operationsOf } from "../../surfaces/operation.ts";
import { PAGE_SIZE } from "../../surfaces/page-size.ts";
import type { CommonParts } from "../started-service.ts";

/** What the token of the request may do. The limits are this gateway's; SQL does not know them. */
export const readMe = operationsOf<CommonParts>()({
  name: "readMe",
  command: "read_me",
  answers: { schema: "Me" },
  rest: {
    method: "GET",
    path: "/me",
    status: 200,
    session: true,
    tag: "Token",
    summary: "Read the rights and limits of the token",
    description: "Organization, environment and scopes of the token of the request, with the plan and the limits.",
  },
  run: async ({ call, parts }) => {
    const answer = await call("read_me", {});
    const limits = {
      requests_per_minute: parts.limits.tokenRequestsPerMinute,
      json_bytes: MOST_JSON_BYTES,
      items_per_page: PAGE_SIZE.most,
    };
    return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body ?? "") as object), limits }) };
  },
});
