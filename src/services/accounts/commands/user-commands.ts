import type { Command } from "commander";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { counted, print, printList } from "../../../surfaces/cli/print.ts";
import { readDemo, serviceAddress } from "../../platform/demo/demo-file.ts";
import { linkSha256, newLinkSecret, passwordLinkPath } from "../sign-in/password-link.ts";
import { type AddedUser, createUser, listUsers, removeUserFactors, resetUser, signOutUser } from "../store.ts";

interface CreateOptions {
  readonly org: string;
  readonly email: string;
  readonly role: string;
  readonly name?: string;
  readonly language?: string;
  readonly json?: boolean;
}

/** `selo user`: people who sign in. */
export function addUserCommands(program: Command, { config, withOperator }: CommandContext): void {
  const user = program.command("user");
  const linkOf = (secret: string) => {
    const settings = config();
    return `${serviceAddress(settings, () => readDemo(settings.dataDir))}${passwordLinkPath(secret)}`;
  };
  user
    .command("create")
    .description("add a person to an organization; prints a link that sets the password, once and within 24 hours")
    .requiredOption("--org <id or number>", "the organization")
    .requiredOption("--email <address>", "the e-mail address with which the person signs in")
    .requiredOption("--role <role>", "accountant, member, admin or owner")
    .option("--name <name>", "1-255 characters; the part of the address before the @ by default")
    .option("--language <tag>", "such as pt-BR or en; that of the organization by default")
    .option("--json", "print JSON")
    .action(async ({ org, json, ...given }: CreateOptions) => {
      const secret = newLinkSecret();
      const made = await withOperator(async (operator) =>
        createUser(operator, {
          ...given,
          tenantId: (await operator.findOrganization(org)).id,
          linkSha256: linkSha256(secret),
        }),
      );
      const link = made.has_password ? null : linkOf(secret);
      print(json, { ...made, link }, () =>
        link === null
          ? `${made.email} already has a password, and now belongs to the organization too.`
          : shown(link, made),
      );
    });
  user
    .command("list")
    .description("list the people of an organization")
    .requiredOption("--org <id or number>", "the organization")
    .option("--json", "print JSON")
    .action(async ({ org, json }: { org: string; json?: boolean }) => {
      const users = await withOperator(async (operator) =>
        listUsers(operator, (await operator.findOrganization(org)).id),
      );
      printList(json, users, "no people", {
        email: ({ email }) => email,
        role: ({ role }) => role,
        name: ({ name }) => name,
        sessions: ({ sessions }) => sessions,
        "last used": ({ last_used_at }) => last_used_at,
        password: ({ has_password }) => (has_password ? "set" : "not set"),
        id: ({ id }) => id,
      });
    });
  user
    .command("reset")
    .description(
      "print a link that sets the password of a person, once and within 24 hours; using it ends all sessions",
    )
    .option(
      "--factors",
      "take the app, the recovery codes and the passkeys off instead, and end the sessions; the password stays",
    )
    .requiredOption("--email <address>", "the e-mail address of the person")
    .option("--json", "print JSON")
    .action(async ({ email, factors, json }: { email: string; factors?: boolean; json?: boolean }) => {
      if (factors) {
        const removed = await withOperator((operator) => removeUserFactors(operator, email));
        print(json, { email, removed }, () =>
          removed ? "took the second factor off: the password alone signs in" : "the person has no second factor",
        );
        return;
      }
      const secret = newLinkSecret();
      const made = await withOperator((operator) => resetUser(operator, email, linkSha256(secret)));
      const link = linkOf(secret);
      print(json, { ...made, link }, () => shown(link, made));
    });
  user
    .command("sign-out")
    .description("end all sessions of a person, in all organizations")
    .requiredOption("--email <address>", "the e-mail address of the person")
    .option("--json", "print JSON")
    .action(async ({ email, json }: { email: string; json?: boolean }) => {
      const ended = await withOperator((operator) => signOutUser(operator, email));
      print(json, { email, ended }, () => `ended ${counted(ended, "session")}`);
    });
}

const shown = (link: string, { email, link_expires_at: end }: Pick<AddedUser, "email" | "link_expires_at">) =>
  `${link}\n\nThis is the only time the link is shown. It sets the password of ${email}, once, until ${end?.toISOString()}.`;
