import { commandFacts } from "../postgres/any-command.ts";
import { inputOf } from "./input.ts";
import type { Operation, RestForm } from "./operation.ts";

/**
 * Compares the operations of all services with what their commands take.
 * @throws Error that names the operation, when
 *   - another one has its name, or its field of GraphQL
 *   - its command does not have a parameter that it makes, or makes one that callers give, too
 *   - it has no `run`, but a member that its command does not take, a made parameter, a file or a field of its own
 *   - a list stands beside a file: a form has texts
 *   - its two commands ask for different scopes
 *   - a path has a member that its input does not have
 */
export function requireSoundOperations(operations: readonly Operation[]): void {
  const names = new Set<string>();
  const fields = new Set<string>();
  for (const operation of operations) {
    const { name, command, records, input, made = [], file, graphql, run, rest } = operation;
    const wrong = (what: string) => new Error(`operation ${name}: ${what}`);
    if (names.has(name)) throw wrong("another one has this name");
    names.add(name);
    for (const field of graphql === undefined ? [] : [graphql.field ?? name, graphql.upload?.field ?? []].flat()) {
      if (fields.has(field)) throw wrong(`another one has the field ${field} of GraphQL`);
      fields.add(field);
    }
    const { arguments: taken, items } = commandFacts(command);
    const strange = made.find((each) => !(each in taken));
    if (strange !== undefined) throw wrong(`its command has no parameter ${strange}`);
    const twice = made.find((each) => each in (input?.shape ?? {}));
    if (twice !== undefined) throw wrong(`it makes ${twice}, which callers give`);
    // A caller who may prepare must be one who may record.
    if (records !== undefined && commandFacts(records).scope !== commandFacts(command).scope)
      throw wrong("its two commands ask for different scopes");
    const list = Object.entries(taken).find(([each, { type }]) => type.endsWith("[]") && !made.includes(each));
    if (file !== undefined && list !== undefined) throw wrong(`a form cannot hold the list ${list[0]} beside a file`);
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
