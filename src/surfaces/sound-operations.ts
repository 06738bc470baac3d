import { commandFacts } from "../postgres/any-command.ts";
import { inputOf } from "./input.ts";
import type { Operation, RestForm } from "./operation.ts";

/**
 * Compares the operations of all services with what their commands take.
 * @throws Error that names the operation: two of one name, a member or a made parameter that the command does not have, a file or a
 *   field of GraphQL without a `run`, two commands with different scopes, a path with a member that the input does not have
 */
export function requireSoundOperations(operations: readonly Operation[]): void {
  const names = new Set<string>();
  for (const operation of operations) {
    const { name, command, records, input, made = [], file, graphql, run, rest } = operation;
    const wrong = (what: string) => new Error(`operation ${name}: ${what}`);
    if (names.has(name)) throw wrong("another one has this name");
    names.add(name);
    const { arguments: taken, items } = commandFacts(command);
    const strange = made.find((each) => !(each in taken));
    if (strange !== undefined) throw wrong(`its command has no parameter ${strange}`);
    // A caller who may prepare must be one who may record.
    if (records !== undefined && commandFacts(records).scope !== commandFacts(command).scope)
      throw wrong("its two commands ask for different scopes");
    if (run === undefined) {
      const unsent = Object.keys(input?.shape ?? {}).find((each) => !(each in (items ?? taken)));
      if (unsent !== undefined) throw wrong(`nothing takes ${unsent}: its command does not, and it has no run`);
      if (made.length > 0 || file !== undefined || graphql !== undefined)
        throw wrong("what is made, a file, or a field of its own needs a run");
    }
    const given = inputOf(operation, "json");
    for (const { path } of rest === null ? [] : ([rest].flat() as RestForm[]))
      for (const [, member = ""] of path.matchAll(/\{(\w+)\}/g))
        if (!(member in given)) throw wrong(`${path} has a member that its input does not have`);
  }
}
