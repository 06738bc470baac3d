import type { CommandGroup } from "./command-group.ts";

/** What exit codes mean, for `selo --help`: the codes of every command, and the further codes of single commands, in the order of their names. */
export function exitCodes(groups: readonly CommandGroup[]): string {
  const meanings = new Map([
    [0, ["done; commands that run until they are stopped: a signal stopped them"]],
    [1, ["refused or failed, and stderr says why"]],
  ]);
  const own = Object.entries(Object.assign({}, ...groups.map((group) => group.exitCodes)) as OwnCodes).sort();
  for (const [command, codes] of own)
    for (const [code, meaning] of Object.entries(codes)) {
      const known = meanings.get(Number(code)) ?? [];
      meanings.set(Number(code), [...known, `${command}: ${meaning}`]);
    }
  const lines = [...meanings]
    .sort(([a], [b]) => a - b)
    .map(([code, all]) => `  ${code}  ${inLines(all).join("\n     ")}`);
  return ["", "Exit codes:", ...lines].join("\n");
}

type OwnCodes = NonNullable<CommandGroup["exitCodes"]>;

/** Letters of a line. */
const LINE = 95;

/** Puts as many of the meanings on a line as have room there. */
function inLines(meanings: readonly string[]): string[] {
  const lines: string[] = [];
  for (const meaning of meanings) {
    const line = lines.at(-1);
    const longer = `${line}; ${meaning}`;
    if (line === undefined) lines.push(meaning);
    else if (longer.length <= LINE) lines[lines.length - 1] = longer;
    else lines.splice(-1, 1, `${line};`, meaning);
  }
  return lines;
}
