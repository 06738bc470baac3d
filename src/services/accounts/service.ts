import type { Service } from "../service.ts";
import type { Own } from "../started-service.ts";
import { accountOperations } from "./operations.ts";
import type { AccountsParts } from "./parts.ts";

/** People who sign in, their roles, and their sessions. */
export const accounts: Service<AccountsParts> = {
  name: "accounts",
  operations: accountOperations,
  openapi: async () => (await import("./openapi.ts")).accountsDescription,
  examples: async () => (await import("./examples.ts")).accountExamples,
  pages: async () => (await import("./pages.ts")).accountPages,
  errorHelp: async () => (await import("./error-help.ts")).accountErrorHelp,
  parts: async (_common, { config, onClose }): Promise<Own<AccountsParts>> => {
    const { BrowserSessions } = await import("./sessions/browser-sessions.ts");
    const { PasswordHashes } = await import("./sign-in/password-hashes.ts");
    const { RelyingParty } = await import("./passkeys/relying-party.ts");
    const passwordHashes = new PasswordHashes();
    onClose(() => passwordHashes.close());
    return {
      browserSessions: new BrowserSessions(config.publicUrl),
      passwordHashes,
      relyingParty: new RelyingParty(config.publicUrl),
    };
  },
  sealedColumns: async () => {
    const { totpPurpose } = await import("./factors/totp.ts");
    const { passkeyPurpose } = await import("./passkeys/passkey-secret.ts");
    return [
      { table: "accounts.passkeys", column: "sealed_secret", purpose: ({ id }) => passkeyPurpose(String(id)) },
      { table: "accounts.totp_factors", column: "sealed_secret", purpose: ({ id }) => totpPurpose(String(id)) },
    ];
  },
  // A backup holds the digests of sessions and links. A session that has ended since the backup must not open again.
  rebuild: async (operator) => {
    await (await import("./store.ts")).endAllSessions(operator);
    return [];
  },
  demo: {
    user_email: async () => (await import("./demo.ts")).DEMO_EMAIL,
    user_password: async (operator, organizationId) =>
      (await import("./demo.ts")).makeDemoOwner(operator, organizationId),
  },
  commands: [
    {
      words: { user: "people who sign in" },
      load: async () => (await import("./commands/user-commands.ts")).addUserCommands,
    },
  ],
  mails: async () => (await import("./mails.ts")).accountMails,
  tasks: {
    mail_password_link: {
      load: async () => (await import("../../../workers/accounts/mail-password-link.ts")).mailPasswordLinkTask,
    },
    sweep_sessions: {
      load: async () => (await import("../../../workers/accounts/sweep-sessions.ts")).sweepSessions,
      schedule: { at: "53 * * * *", attempts: 3 },
    },
  },
};
