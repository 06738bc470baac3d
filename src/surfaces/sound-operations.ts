import { commandFacts } from "../postgres/any-command.ts";
import { inputOf } from "./input.ts";
import type { ExampleRequest } from "./openapi/examples/example-request.ts";
import { fieldNamesOf, formsOf, type Operation, takesContent, writes } from "./operation.ts";

/**
 * Checks the operations of all services against the parameters of their commands, and against the examples.
 * @param examples of the operations and of their services
 * @throws Error that names the operation, if
 *   - another operation has its name, a name of its paths, or its GraphQL field
 *   - an example is missing: a request to each path that has a name and a description, or, without a path, the example of its GraphQL field
 *   - two of its paths on one surface have the same name
 *   - one of its paths takes a file, and the operation takes none
 *   - it takes a file or members instead, and no path takes only the file: one path for both has no description
 *   - its command, or an item of its batch, lacks a parameter that the operation makes, or callers give that parameter, too
 *   - it has no `run`, but a member that its command does not take, a parameter that neither callers nor headers give, a file or a field of its own
 *   - a list stands beside a file: a form has only texts
 *   - a GraphQL query would take a file: only mutations do
 *   - it stores a file that is not temporary, and does not write
 *   - its two commands need different scopes
 *   - a path has a member that its input lacks
 */
export function requireSoundOperations(
  operations: readonly Operation[],
  examples: readonly Pick<ExampleRequest, "operation">[],
): void {
  const asked = new Set(examples.map(({ operation }) => operation));
  const names = new Set<string>();
  const fields = new Set<string>();
  for (const operation of operations) {
    const { name, command, records, input, made = [], file, graphql, run, rest } = operation;
    const wrong = (what: string) => new Error(`operation ${name}: ${what}`);
    const forms = formsOf(operation);
    for (const each of new Set([name, ...forms.map((form) => form.name)])) {
      if (names.has(each)) throw wrong(`another operation has ${each === name ? "this name" : `the name ${each}`}`);
      names.add(each);
    }
    for (const [place, form] of forms.entries()) {
      if (forms.slice(0, place).some((other) => other.name === form.name && other.surface === form.surface))
        throw wrong(`two of its paths have the name ${form.name}`);
      if (form.takes === "file" && file === undefined)
        throw wrong(`${form.path} takes a file, and the operation takes none`);
    }
    for (const field of fieldNamesOf(operation)) {
      if (fields.has(field)) throw wrong(`another operation has the GraphQL field ${field}`);
      fields.add(field);
    }
    if (file?.kept === "digest" && file.orMembers && !forms.some(({ takes }) => takes === "file"))
      throw wrong("the operation takes a file or members instead, and no path takes only the file");
    const unasked = forms.find((form) => form.surface?.document !== null && !asked.has(form.name));
    if (unasked !== undefined)
      throw wrong(`the ${unasked.name === name ? "operation" : `path ${unasked.name}`} has no example`);
    if (rest === null && asked.has(name))
      throw wrong("the operation has an example, but no path; put the example into its graphql");
    if (rest === null && graphql?.example === undefined)
      throw wrong("the operation has no path, and its graphql has no example");
    const { arguments: ofCommand, items } = commandFacts(command);
    // Callers give the members of one item; only these can be made.
    const taken = items ?? ofCommand;
    const strange = made.find((each) => !(each in taken));
    if (strange !== undefined) throw wrong(`its command has no parameter ${strange}`);
    const twice = made.find((each) => each in (input?.shape ?? {}));
    if (twice !== undefined) throw wrong(`it makes ${twice}, which callers give`);
    // A caller who may prepare must also be allowed to record.
    if (records !== undefined && commandFacts(records).scope !== commandFacts(command).scope)
      throw wrong("its two commands need different scopes");
    // Lists of names are written with commas.
    const list = Object.entries(taken).find(
      ([each, { type, items }]) => type.endsWith("[]") && items?.enum === undefined && !made.includes(each),
    );
    if (file !== undefined && list !== undefined) throw wrong(`a form cannot hold the list ${list[0]} beside a file`);
    const takesUpload = graphql !== undefined && (takesContent(file) || graphql.upload !== undefined);
    if (takesUpload && !writes(operation))
      throw wrong("a GraphQL query takes no file, and the operation does not write");
    if (file?.kept === "stored" && !file.isTemporary && !writes(operation))
      throw wrong("it stores a file, and writes no row that names it");
    if (run === undefined) {
      const unsent = Object.keys(input?.shape ?? {}).find((each) => !(each in taken));
      if (unsent !== undefined)
        throw wrong(`nothing uses ${unsent}: the command has no such parameter, and the operation has no run`);
      const isOfHeaders = (each: string) =>
        forms.every(({ surface }) => surface?.ofHeaders?.parameters.includes(each) === true);
      if (!made.every(isOfHeaders) || file !== undefined || graphql !== undefined)
        throw wrong("a made parameter, a file or a GraphQL field of its own needs a run");
    }
    const given = inputOf(operation, "json");
    for (const { path, surface } of forms)
      for (const [, member = ""] of path.matchAll(/\{(\w+)\}/g))
        if (!(member in given) && member !== surface?.organizationIn?.parameter)
          throw wrong(`${path} has a member that its input does not have`);
  }
}
