import { accountsSurface } from "../../../src/services/accounts/accounts-surface.ts";
import type { ServiceFacts } from "../../support/service-facts.ts";
import { sampleMails } from "./sample-mails.ts";

export const facts: ServiceFacts = {
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
    requestPasswordReset: { body: { email: "nobody@people.example" }, answersAlways: true },
    confirmPasswordReset: { body: { link: "unknown", password: "correct-horse-battery" } },
  },
  mails: sampleMails,
  graphql: {
    queries: ["account", "members", "secondFactor", "signInRules"],
    mutations: [
      "beginTotp",
      "changeMemberRole",
      "changePassword",
      "confirmTotp",
      "endOtherSessions",
      "endSession",
      "leaveOrganization",
      "removeMember",
      "removeMemberFactors",
      "removeTotp",
      "renewRecoveryCodes",
      "updateAccount",
      "updateSignInRules",
    ],
    json: [],
    types: { members: "Member" },
    enums: { Role: ["ACCOUNTANT", "ADMIN", "MEMBER", "OWNER"] },
    enumInputs: { ChangeMemberRoleInput: { role: "Role!" } },
  },
  audit: {
    write: async (selo, organization) => {
      const { auth, signedIn } = await import("./accounts-stage.ts");
      await signedIn(selo, organization, "member");
      const { headers } = await signedIn(selo, organization, "owner");
      await auth(selo, "POST", "/sign-out", { headers });
    },
    rows: { "accounts.people": ["password_digest is not null"] },
  },
};
