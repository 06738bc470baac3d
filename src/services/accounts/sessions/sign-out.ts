import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";

/** Ends the session of the request. */
export const signOut = operation({
  name: "signOut",
  command: "sign_out",
  made: ["session_sha256"],
  answers: { nothing: "The session has ended, and its cookies are deleted." },
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/sign-out",
    status: 204,
    tag: "Signing in",
    summary: "Sign out",
  },
  run: async ({ call, parts }) => parts.browserSessions.ended(await call("sign_out", {})),
});
