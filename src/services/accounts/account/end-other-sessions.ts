import { z } from "zod";
import { operation } from "../parts.ts";
import { sessionOfRequest } from "./session-of-request.ts";

/** Ends the sessions of the person but the one of the request. */
export const endOtherSessions = operation({
  name: "endOtherSessions",
  command: "end_other_sessions",
  made: ["session_sha256"],
  rest: null,
  graphql: {
    description: "Ends all of your sessions, in all of your organizations, but the one of the request.",
    payload: {
      name: "EndOtherSessionsPayload",
      description: "What was ended.",
      members: z.object({ ended: z.int32().meta({ description: "Number of sessions." }) }),
    },
    example: { document: "mutation { endOtherSessions { ended } }" },
  },
  run: ({ call, requester }) => call("end_other_sessions", sessionOfRequest(requester)),
});
