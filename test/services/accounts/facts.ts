import { accountsSurface } from "../../../src/services/accounts/accounts-surface.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import type { ServiceFacts } from "../../support/service-facts.ts";
import { sampleMails } from "./sample-mails.ts";

export const facts: ServiceFacts = {
  // The second half of a request, whose first half takes the link or the password alone.
  withoutPath: [
    "accept_invitation.language",
    "accept_invitation.link_sha256",
    "accept_invitation.name",
    "add_passkey.name",
  ],
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  surfaces: [
    {
      surface: accountsSurface,
      credentials: async (selo, organization) => {
        const { signedIn } = await import("./accounts-stage.ts");
        return (await signedIn(selo, organization, "owner")).headers;
      },
    },
  ],
  operations: {
    signIn: { body: { email: "nobody@people.example", password: "wrong" } },
    signOut: { endsCredential: true },
    signInWithPasskey: {
      body: {
        response: {
          id: "AAAA",
          rawId: "AAAA",
          type: "public-key",
          response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "MAA" },
        },
      },
    },
    requestPasswordReset: { body: { email: "nobody@people.example" }, answersAlways: true },
    readInvitation: { body: { link: "unknown" } },
    acceptInvitation: { body: { link: "unknown", password: "correct-horse-battery" } },
    confirmPasswordReset: { body: { link: "unknown", password: "correct-horse-battery" } },
  },
  mails: sampleMails,
  graphql: {
    queries: ["account", "invitations", "members", "passkeyCreationOptions", "secondFactor", "signInRules"],
    mutations: [
      "addPasskey",
      "beginTotp",
      "changeMemberRole",
      "changePassword",
      "confirmTotp",
      "endOtherSessions",
      "endSession",
      "inviteMember",
      "leaveOrganization",
      "removeMember",
      "removeMemberFactors",
      "removePasskey",
      "removeTotp",
      "renewRecoveryCodes",
      "resendInvitation",
      "updateAccount",
      "updateSignInRules",
      "withdrawInvitation",
    ],
    json: ["PasskeyCreationOptions.options"],
    types: { invitations: "Invitation", members: "Member" },
    enums: { Role: ["ACCOUNTANT", "ADMIN", "MEMBER", "OWNER"] },
    enumInputs: { ChangeMemberRoleInput: { role: "Role!" }, InviteMemberInput: { role: "Role!" } },
  },
  audit: {
    write: async (selo, organization) => {
      const { addApp, auth, invite, signedIn } = await import("./accounts-stage.ts");
      await signedIn(selo, organization, "member");
      const { headers } = await signedIn(selo, organization, "owner");
      await invite(selo, headers, "invited@people.example");
      const { recovery } = await addApp(selo, headers);
      const asked = await graphql(selo, headers, "{ passkeyCreationOptions { options } }");
      const { options } = answered<{ options: { challenge: string } }>(asked, "passkeyCreationOptions");
      const { SoftwareDevice } = await import("./software-device.ts");
      const response = new SoftwareDevice().make(options);
      const adding =
        'mutation ($response: JSON!, $code: String) { addPasskey(input: {password: "correct-horse-battery", code: $code, response: $response}) { passkey { id } } }';
      answered(await graphql(selo, headers, adding, { response, code: recovery[0] }), "addPasskey");
      await auth(selo, "POST", "/sign-out", { headers });
    },
    rows: { "accounts.people": ["password_digest is not null"] },
  },
};
