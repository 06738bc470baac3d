import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";

/** The session of the request, with the value that its writes must send. */
export const getSession = operation({
  name: "getSession",
  command: "read_session",
  made: ["session_sha256"],
  answers: { schema: "Session" },
  rest: {
    surface: accountsSurface,
    method: "GET",
    path: "/session",
    status: 200,
    tag: "Signing in",
    summary: "Get the session",
  },
  run: async ({ call, requester }) => {
    const answer = await call("read_session", {});
    const session = JSON.parse(answer.body ?? "null") as object;
    return { ...answer, body: JSON.stringify({ ...session, csrf_token: requester.ofHeaders?.["csrf_token"] }) };
  },
});
