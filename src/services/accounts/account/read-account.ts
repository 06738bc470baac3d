import { z } from "zod";
import { nameOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { sessionOfRequest } from "./session-of-request.ts";

const organization = z
  .object({
    id: z.uuid().meta({ description: "The organization." }),
    number: z.int32().meta({ description: "Its number, for the paths of DNS." }),
    name: z.string().meta({ description: "Its name." }),
    role: nameOf("accounts.roles", "Your role there: accountant, member, admin or owner."),
    current: z.boolean().meta({ description: "Whether the session of the request acts for it." }),
  })
  .meta({ title: "OwnOrganization", description: "An organization that you belong to." });

const session = z
  .object({
    id: z.uuid().meta({ description: "The session." }),
    current: z.boolean().meta({ description: "True for the session of the request." }),
    user_agent: z.string().nullable().meta({ description: "User-Agent of the browser. Null without one." }),
    way: z.string().meta({ description: "How you signed in, such as password." }),
    created_at: z.iso.datetime().meta({ description: "When it began (UTC)." }),
    expires_at: z.iso.datetime().meta({ description: "When it runs out (UTC)." }),
  })
  .meta({ title: "OwnSession", description: "An open session of the person." });

/** The person who asks. */
export const readAccount = operation({
  name: "readAccount",
  command: "read_account",
  made: ["session_sha256"],
  rest: null,
  graphql: {
    field: "account",
    description: "Yourself: the person who has signed in. A token gets 403 `forbidden`.",
    payload: {
      name: "Account",
      description: "A person who has signed in.",
      members: z.object({
        id: z.uuid().meta({ description: "The person, as the audit trail names the person." }),
        email: z.string().meta({ description: "E-mail address, which never changes." }),
        name: z.string().meta({ description: "Name." }),
        language: z.string().meta({ description: "Language tag of what you read." }),
        organizations: z.array(organization).meta({ description: "The organizations that you belong to, by name." }),
        sessions: z.array(session).meta({
          description: "Your open sessions, in all of your organizations, the newest first.",
        }),
      }),
    },
    example: {
      document:
        "{ account { name organizations { id name role current } sessions { id current userAgent way expiresAt } } }",
    },
  },
  run: ({ call, requester }) => call("read_account", sessionOfRequest(requester)),
});
