import { operation } from "../parts.ts";
import { newInvitationLink } from "./invitation-link.ts";

const payload = (name: string, description: string) => ({
  name,
  description,
  row: { name: "invitation", description: "The invitation." },
});
const answers = { schema: "Invitation", row: "invitations" } as const;

/** Invites a person. TypeScript makes the link, of which the database keeps a digest. */
export const inviteMember = operation({
  name: "inviteMember",
  command: "create_invitation",
  made: ["link_id", "link_sha256"],
  answers,
  rest: null,
  graphql: {
    description:
      "Invites a person to the organization, and mails a link to the address. The link is good for 7 days and once. Nobody gives a role above their own: 403 forbidden. Returns 409 conflict for a member, for an address with an invitation, and beyond 100 invitations. For people who are signed in.",
    payload: payload("InviteMemberPayload", "An invitation that was made."),
    example: {
      document:
        "mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id email role expiresAt } } }",
      variables: { input: { email: "bruno@accounting.example", role: "ACCOUNTANT" } },
    },
  },
  run: ({ call, parts }, input) => call("create_invitation", { ...input, ...newInvitationLink(parts.masterKeys) }),
});

/** Mails an invitation again, with a new link. */
export const resendInvitation = operation({
  name: "resendInvitation",
  command: "resend_invitation",
  made: ["link_id", "link_sha256"],
  answers,
  rest: null,
  graphql: {
    description:
      "Mails an invitation again, with a new link of 7 days. The older link is refused at once. Returns 409 conflict within a minute. For people who are signed in.",
    payload: payload("ResendInvitationPayload", "An invitation that was mailed again."),
    example: {
      document:
        "mutation ($input: ResendInvitationInput!) { resendInvitation(input: $input) { invitation { expiresAt } } }",
      variables: { input: { id: "0197a0c0-0000-7000-8000-000000000001" } },
    },
  },
  run: ({ call, parts }, input) => call("resend_invitation", { ...input, ...newInvitationLink(parts.masterKeys) }),
});
