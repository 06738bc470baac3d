// The guide to commands names each command with its options, and no other.
import { Command } from "commander";
import { expect, test } from "vitest";
import { commandContext } from "../../src/main/commands/command-context.ts";
import { ownGroups } from "../../src/main/commands/groups.ts";
import { services } from "../../src/services/services.ts";
import { readDocument } from "../support/documents.ts";

const GUIDE = readDocument("src/web/guides/commands.md");
/** The first cells of its table. */
const CELLS = [...GUIDE.matchAll(/^\| (`.*?) \| /gm)].map(([, cell = ""]) => cell);

/** The commands that end in an action: their words, and the long names of their options. */
async function commandsOfTheProgram(): Promise<Map<string, readonly string[]>> {
  const program = new Command("selo");
  const context = commandContext(services);
  for (const { load } of [...ownGroups(services, "0.0.0"), ...services.flatMap(({ commands }) => commands ?? [])])
    (await load())(program, context);
  const found = new Map<string, readonly string[]>();
  const walk = (command: Command, words: readonly string[]) => {
    for (const each of command.commands) walk(each, [...words, each.name()]);
    if (command.commands.length === 0)
      found.set(
        words.join(" "),
        command.options.flatMap(({ long }) => long ?? []),
      );
  };
  walk(program, []);
  return found;
}

/** The words before the first argument or option: `org list --json` is `org list`. */
const named = (code: string) => /^[a-z-]+( [a-z][a-z-]*)*/.exec(code)?.[0] ?? "";

test("the guide names each command once", async () => {
  const codes = CELLS.flatMap((cell) => [...cell.replaceAll(/\([^)]*\)/g, "").matchAll(/`([^`]+)`/g)]);
  const names = codes.map(([, code = ""]) => named(code));
  expect(names.sort()).toEqual([...(await commandsOfTheProgram()).keys()].sort());
});

test("the guide names each option in the row of its command, and what a group shares in one row of the group", async () => {
  const rows = GUIDE.split("\n").filter((row) => row.startsWith("| `"));
  const rowOf = (name: string) =>
    rows.filter((row) =>
      [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].some(([, code = ""]) => named(code) === name),
    );
  for (const [name, options] of await commandsOfTheProgram()) {
    const [group = ""] = name.split(" ");
    const shared = rows.filter((row) => row.includes(`Each command of \`${group}\``));
    const missing = options.filter(
      (option) => option !== "--json" && ![...rowOf(name), ...shared].some((row) => row.includes(option)),
    );
    expect([name, missing]).toEqual([name, []]);
  }
});

test("the guide names the commands without --json", async () => {
  const [, exceptions = ""] = /each takes `--json` except ([^.]+)\./.exec(GUIDE) ?? [];
  const without = [...(await commandsOfTheProgram())].flatMap(([name, options]) =>
    options.includes("--json") ? [] : [name],
  );
  expect([...exceptions.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()).toEqual(without.sort());
});
