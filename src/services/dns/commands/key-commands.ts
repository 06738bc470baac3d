import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { print, printList } from "../../../surfaces/cli/print.ts";
import { issueKey, listKeys, type Narrowing, revokeKey } from "../store.ts";

const keyId = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("must be the number of a key");
  return Number(text);
};

const list = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);

const zoneIds = (text: string): number[] =>
  list(text).map((id) => {
    if (!/^[1-9]\d{0,8}$/.test(id)) throw new InvalidArgumentError("must be numbers of zones, such as 1,2");
    return Number(id);
  });

interface CreateOptions extends Narrowing {
  readonly org: string;
  readonly name: string;
  readonly scopes?: string[];
  readonly json?: boolean;
}

/** `selo dns-key`: API keys of DNS. */
export function addKeyCommands(program: Command, { withOperator }: CommandContext): void {
  const key = program.command("dns-key").description("DNS API keys");
  key
    .command("create")
    .description("create an API key of DNS; it is shown only once")
    .requiredOption("--org <id or number>", "the organization that the key acts for")
    .requiredOption("--name <name>", "a name for the key")
    .option("--scopes <list>", "comma-separated, such as zone:read,record:read; all four by default", list)
    .option("--zones <list>", "comma-separated ids of zones; all zones by default", zoneIds)
    .option("--acme-only", "restrict the key to TXT records of _acme-challenge, for programs that obtain certificates")
    .option("--json", "print JSON")
    .action(async ({ org, name, scopes, json, ...narrowed }: CreateOptions) => {
      const made = await withOperator(async (operator) =>
        issueKey(operator, (await operator.findOrganization(org)).id, name, scopes ?? null, narrowed),
      );
      print(json, made, () => `${made.secret}\n\nThis is the only time the key is shown. Its id is ${made.id}.`);
    });
  key
    .command("list")
    .description("list the API keys of an organization, without their secrets")
    .requiredOption("--org <id or number>", "the organization")
    .option("--json", "print JSON")
    .action(async ({ org, json }: { org: string; json?: boolean }) => {
      const keys = await withOperator(async (operator) =>
        listKeys(operator, (await operator.findOrganization(org)).id),
      );
      printList(json, keys, "no keys", {
        id: ({ id }) => String(id),
        prefix: ({ prefix }) => `${prefix}…`,
        "last used": ({ last_used_at }) => last_used_at,
        revoked: ({ revoked_at }) => revoked_at,
        name: ({ name }) => name,
        scopes: ({ scopes }) => scopes.join(","),
        zones: ({ zones }) => zones?.join(",") ?? "all",
        records: ({ acme_only }) => (acme_only ? "_acme-challenge" : "all"),
      });
    });
  key
    .command("revoke")
    .description("refuse an API key from now on")
    .argument("<id>", "id of the key", keyId)
    .option("--json", "print JSON")
    .action(async (id: number, { json }: { json?: boolean }) => {
      const at = await withOperator((operator) => revokeKey(operator, id));
      print(json, { id, revoked_at: at }, () => `revoked at ${at.toISOString()}`);
    });
}
