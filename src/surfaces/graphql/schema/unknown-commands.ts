import type { AddedCommand } from "../../../postgres/command.ts";
import { commands } from "../../../postgres/generated/commands.ts";

/**
 * Leaves functions of schema api that this version does not know out of the schema. A later version has made them: its migration runs
 * before its gateways start, and a gateway of this version may start in between.
 * @param added commands of services outside `sql/`
 * @param tell called once with the names of the functions, if there are any
 */
export function unknownCommandsPlugin(
  added: readonly AddedCommand[],
  tell: (names: readonly string[]) => void,
): GraphileConfig.Plugin {
  const known = new Set([...Object.keys(commands), ...added.map(({ name }) => name)]);
  return {
    name: "UnknownCommandsPlugin",
    gather: {
      hooks: {
        pgIntrospection_introspection(_info, { introspection }) {
          const isUnknown = (proc: (typeof introspection.procs)[number]) =>
            proc.getNamespace()?.nspname === "api" && !known.has(proc.proname);
          const names = introspection.procs.filter(isUnknown).map(({ proname }) => proname);
          if (names.length === 0) return;
          // The builder holds this array already.
          introspection.procs.splice(
            0,
            Number.POSITIVE_INFINITY,
            ...introspection.procs.filter((proc) => !isUnknown(proc)),
          );
          tell([...new Set(names)].sort());
        },
      },
    },
  };
}
