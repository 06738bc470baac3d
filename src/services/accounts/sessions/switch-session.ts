import { networkOf } from "../../../adapters/ip-addresses.ts";
import { newSession } from "../../../surfaces/http/session.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";

/** Ends the session of the request and opens one in another organization, with a new secret. */
export const switchSession = operation({
  name: "switchSession",
  command: "switch_session",
  made: ["session_sha256", "network", "live_sha256", "test_sha256"],
  answers: { schema: "Session" },
  errors: ["not_found"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/switch",
    status: 200,
    tag: "Signing in",
    summary: "Go to another organization",
    description:
      "Sets both cookies anew. The former session has ended: a page that still has its `csrf_token` gets 403 `csrf`, and must load again. The new session runs out when the former one would have.",
  },
  run: async ({ call, parts, requester }, { organization_id }) => {
    const session = newSession();
    const network = networkOf(requester.origin.address);
    const answer = await call("switch_session", { organization_id, network, ...session.digests });
    return parts.browserSessions.opened(answer, session.secret);
  },
});
