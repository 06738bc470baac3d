import { access, constant, context, each, type FieldArgs, lambda, list, object, type Step, sideEffect } from "grafast";
import type { GraphQLFieldConfigArgumentMap } from "graphql";
import type { PgResource } from "postgraphile/@dataplan/pg";
import { invalidRequest } from "../../../errors/app-error.ts";
import { type AnyCommand, commandFacts } from "../../../postgres/any-command.ts";
import type { AddedCommand, Parameter } from "../../../postgres/command.ts";
import { type CommandName, commands } from "../../../postgres/generated/commands.ts";
import { givenMembers } from "../given-members.ts";
import { CommandRowStep } from "./command-row.ts";
import { enumOf } from "./enums.ts";
import { isUuid, namesId } from "./ids.ts";
import { openField } from "./open-fields.ts";
import { wordsOf } from "./parameter-words.ts";

/**
 * Functions of schema api that write become mutations, the others queries. PostGraphile would call them itself. Here they
 * run like REST, through gateway.call: scope, Idempotency-Key, command and stored answer in one transaction.
 * @param added commands of services outside `sql/`
 */
export function commandsPlugin(added: readonly AddedCommand[]): GraphileConfig.Plugin {
  const isUnknown = (resource: FunctionResource) => knownCommand(resource, added) === undefined;
  return {
    name: "CommandsPlugin",
    schema: {
      hooks: {
        GraphQLObjectType_fields_field(field, build, { scope }) {
          if (!scope.isRootQuery && !scope.isRootMutation) return field;
          const resource = functions(build).find((some) => fieldOf(build, some) === scope.fieldName);
          if (resource === undefined || resource.isMutation !== Boolean(scope.isRootMutation)) return field;
          const { scope: needed } = commandFacts(commandOf(resource, added));
          return {
            ...field,
            description: describedOf(build, resource, field.description),
            extensions: { ...field.extensions, ...(needed === null ? openField("counted") : {}) },
            plan: resource.isMutation ? mutationPlan(build, resource, added) : queryPlan(build, resource, added),
          };
        },
        GraphQLObjectType_fields_field_args(args, build, { scope }) {
          const resource = functions(build).find((some) => some === scope.pgFieldResource);
          if (resource === undefined || resource.isMutation || isUnknown(resource)) return args;
          const { arguments: taken } = commandFacts(commandOf(resource, added));
          const { GraphQLNonNull, isNonNullType } = build.graphql;
          for (const { member, argument } of parametersOf(build, resource)) {
            const [arg, parameter] = [(args as GraphQLFieldConfigArgumentMap)[member], taken[argument]];
            if (arg === undefined || parameter === undefined) continue;
            arg.description = wordsOf(parameter);
            const names = parameter.namesOf === undefined ? null : enumOf(build, parameter.namesOf);
            if (names !== null) arg.type = isNonNullType(arg.type) ? new GraphQLNonNull(names) : names;
          }
          return args;
        },
        // The plan reads the argument unchanged.
        GraphQLObjectType_fields_field_args_arg(arg, _build, { scope }) {
          if (scope.fieldBehaviorScope !== "mutationField") return arg;
          const { applyPlan: _, ...plain } = arg;
          return plain;
        },
        // The header Idempotency-Key does what PostGraphile's clientMutationId was made for.
        GraphQLInputObjectType_fields(fields, build, { scope, Self }) {
          if (!scope.isMutationInput) return fields;
          delete fields.clientMutationId;
          const resource = functions(build).find(
            (some) => some.isMutation && build.inflection.customMutationInput({ resource: some }) === Self.name,
          );
          // A function that is not a command is refused at the end, with its own message.
          const words = resource === undefined || isUnknown(resource) ? {} : argumentsOf(resource, added);
          for (const [index, param] of (resource?.parameters ?? []).entries()) {
            const name = build.inflection.argument({ param, resource: resource as FunctionResource, index });
            const field = fields[name];
            if (field === undefined) continue;
            const parameter = words[param.name?.replace(/^p_/, "") ?? ""];
            field.description = parameter && wordsOf(parameter);
            // A parameter without a default is required, also if the function answers no row.
            const { GraphQLID, GraphQLNonNull, GraphQLString, isNonNullType } = build.graphql;
            const names = parameter?.namesOf === undefined ? null : enumOf(build, parameter.namesOf);
            if (names !== null) field.type = isNonNullType(field.type) ? new GraphQLNonNull(names) : names;
            // An id that is a text, such as one in a system of the caller's.
            if (namesId(name) && field.type === GraphQLString) field.type = GraphQLID;
            if (!param.optional && !isNonNullType(field.type)) field.type = new GraphQLNonNull(field.type);
          }
          return fields;
        },
        GraphQLObjectType_fields(fields, build, { scope, Self }) {
          if (!scope.isMutationPayload) return fields;
          delete fields.clientMutationId;
          const answering = functions(build).find(
            (some) => some.isMutation && build.inflection.customMutationPayload({ resource: some }) === Self.name,
          );
          const answers = answering === undefined ? [] : answersOf(answering);
          if (answers.length > 0) {
            delete fields.result;
            return build.extend(fields, answerFields(build, answers), `what ${Self.name} answers`);
          }
          const { GraphQLBoolean, GraphQLNonNull, isNonNullType } = build.graphql;
          for (const [name, answer] of Object.entries(fields)) {
            const isRow = answering?.isUnique && answering.codec.attributes != null;
            answer.description = isRow
              ? `The ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`
              : "The answer of the command.";
            if (isRow && !isNonNullType(answer.type)) answer.type = new GraphQLNonNull(answer.type);
          }
          if (Object.keys(fields).length > 0) return fields;
          const done = {
            description: "Always true: the command succeeded and has no other answer.",
            type: new GraphQLNonNull(GraphQLBoolean),
            plan: () => constant(true),
          };
          const gone =
            answering === undefined || isUnknown(answering)
              ? {}
              : goneOf(build, answering, argumentsOf(answering, added));
          return build.extend(fields, { done, ...gone }, "a payload must have a field");
        },
        // GraphQL silently drops a type without fields, together with the field of this type.
        finalize(schema, build) {
          for (const resource of functions(build)) {
            const root = resource.isMutation ? schema.getMutationType() : schema.getQueryType();
            if (root?.getFields()[fieldOf(build, resource)] === undefined)
              throw new Error(`api.${resource.extensions?.pg?.name} became no field; a command needs a parameter`);
          }
          return schema;
        },
      },
    },
  };
}

type FunctionResource = Parameters<GraphileBuild.Inflection["customMutationField"]>[0]["resource"];

function functions(build: GraphileBuild.Build): FunctionResource[] {
  return Object.values(build.pgResources).filter(
    (resource: PgResource): resource is FunctionResource => resource.parameters !== undefined,
  );
}

/** Name of the root field of a function. */
function fieldOf({ inflection }: GraphileBuild.Build, resource: FunctionResource): string {
  return resource.isMutation ? inflection.customMutationField({ resource }) : inflection.customQueryField({ resource });
}

function commandOf(resource: FunctionResource, added: readonly AddedCommand[]): AnyCommand {
  const command = knownCommand(resource, added);
  if (command === undefined) {
    throw new Error(
      `gateway.call does not know api.${resource.extensions?.pg?.name}: it must begin with platform.require_scope('…') or platform.allow_anyone(); then run npm run generate`,
    );
  }
  return command;
}

function knownCommand(resource: FunctionResource, added: readonly AddedCommand[]): AnyCommand | undefined {
  const name = String(resource.extensions?.pg?.name);
  return isCommand(name) ? name : added.find((some) => some.name === name);
}

/** A member of the JSON that a command answers, from the tag of its comment: `@answers has_more boolean Whether there are more.` */
interface Answered {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

function answersOf(resource: FunctionResource): readonly Answered[] {
  const tag = resource.extensions?.tags?.["answers"];
  return (Array.isArray(tag) ? tag : [tag]).flatMap((text) => {
    if (typeof text !== "string") return [];
    const [, name = "", type = "", description = ""] = /^(\w+) (\w+) (.+)$/.exec(text) ?? [];
    if (name === "") throw new Error(`@answers ${text}: it must be a member, its type and words`);
    return [{ name, type, description }];
  });
}

/** The words of a command. Its payload describes what it answers, and names the members as GraphQL does. */
function describedOf({ inflection }: GraphileBuild.Build, resource: FunctionResource, words: unknown): string | null {
  if (typeof words !== "string") return null;
  return answersOf(resource).reduce(
    (text, { name }) => text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), inflection.camelCase(name)),
    words.replace(/\bAnswers \{[^}]*\}\. /, ""),
  );
}

/** Members of a payload, none of which is ever null. */
function answerFields(build: GraphileBuild.Build, answers: readonly Answered[]) {
  const { GraphQLBoolean, GraphQLInt, GraphQLNonNull, GraphQLString } = build.graphql;
  const types = { boolean: GraphQLBoolean, integer: GraphQLInt, text: GraphQLString };
  return Object.fromEntries(
    answers.map(({ name, type, description }) => {
      const scalar = types[type as keyof typeof types];
      if (scalar === undefined) throw new Error(`@answers ${name} ${type}: its type must be boolean, integer or text`);
      const plan = ($payload: Step & { get(member: string): Step }) => access($payload.get("result"), name);
      return [build.inflection.camelCase(name), { description, type: new GraphQLNonNull(scalar), plan }];
    }),
  );
}

const argumentsOf = (resource: FunctionResource, added: readonly AddedCommand[]) =>
  commandFacts(commandOf(resource, added)).arguments;

/**
 * What a command that answers nothing took away: its last id, as in the path of REST (`/envelopes/{id}/fields/{field_id}`). Clients drop the object by this id
 * from what they keep.
 */
function goneOf(build: GraphileBuild.Build, resource: FunctionResource, taken: Readonly<Record<string, Parameter>>) {
  const gone = parametersOf(build, resource).findLast(({ argument }) => taken[argument]?.type === "uuid");
  if (gone === undefined) return {};
  const { GraphQLID, GraphQLNonNull } = build.graphql;
  const field = {
    description: `The id that went. ${wordsOf(taken[gone.argument] as Parameter)}`,
    type: new GraphQLNonNull(GraphQLID),
    plan: ($payload: Step & { get(member: string): Step }) =>
      // Ids are answered in lower case, whatever the case that Postgres took.
      lambda(access($payload.get("input"), gone.member), (id) => String(id).toLowerCase()),
  };
  return { [gone.member]: field };
}

/** Each parameter with its names in GraphQL and for gateway.call. */
function parametersOf(build: GraphileBuild.Build, resource: FunctionResource) {
  return resource.parameters.map((param, index) => ({
    member: build.inflection.argument({ param, resource, index }),
    argument: param.name?.replace(/^p_/, "") ?? "",
  }));
}

/** Makes the function that reads the arguments given to a command. */
function readerOf(
  command: AnyCommand,
): (given: readonly (readonly [argument: string, value: unknown])[]) => Record<string, unknown> {
  const { arguments: taken } = commandFacts(command);
  return (given) => {
    // GraphQL takes any text for an id, and Postgres has no words of ours for one that is no UUID.
    const wrong = given
      .flatMap(([name, value]) => idsOf(name, taken[name]?.type, value))
      .filter(([, id]) => !isUuid(id));
    if (wrong.length > 0) throw invalidRequest(wrong.map(([field]) => ({ field, message: "must be a UUID" })));
    return givenMembers(given, (name) => taken[name]?.nullable !== false);
  };
}

/** The UUIDs in an argument, each with its path. */
function idsOf(
  name: string,
  type: string | undefined,
  value: unknown,
): readonly (readonly [path: string, id: unknown])[] {
  if (type === "uuid[]" && Array.isArray(value)) return value.map((id, place) => [`${name}.${place}`, id]);
  return type === "uuid" && value != null ? [[name, value]] : [];
}

function mutationPlan(build: GraphileBuild.Build, resource: FunctionResource, added: readonly AddedCommand[]) {
  const command = commandOf(resource, added);
  const parameters = parametersOf(build, resource);
  const read = readerOf(command);
  const run = ([{ selo }, input]: readonly [Grafast.Context, Readonly<Record<string, unknown>>]): Promise<unknown> => {
    const given = parameters.map(({ member, argument }) => [argument, input[member]] as const);
    return selo.command(command, read(given));
  };
  return (_$root: Step, fieldArgs: FieldArgs): Step => {
    const $input = fieldArgs.getRaw("input");
    const $answer: Step = sideEffect(list([context(), $input]) as Step, run as never);
    return object({ result: resource.codec.attributes ? rows(resource, $answer) : $answer, input: $input as Step });
  };
}

function queryPlan(build: GraphileBuild.Build, resource: FunctionResource, added: readonly AddedCommand[]) {
  const command = commandOf(resource, added);
  const parameters = parametersOf(build, resource);
  const read = readerOf(command);
  const run = ([{ selo }, values]: readonly [Grafast.Context, readonly unknown[]]): Promise<unknown> => {
    const given = parameters.map(({ argument }, place) => [argument, values[place]] as const);
    return selo.query(command, read(given), !resource.isUnique);
  };
  return (_$root: Step, fieldArgs: FieldArgs): Step => {
    const $values = list(parameters.map(({ member }) => fieldArgs.getRaw(member)));
    const $answer: Step = lambda(list([context(), $values]) as Step, run as never);
    return resource.codec.attributes ? rows(resource, $answer) : $answer;
  };
}

function rows(resource: FunctionResource, $answer: Step): Step {
  return resource.isUnique
    ? new CommandRowStep($answer)
    : each($answer as Step<readonly unknown[]>, ($row) => new CommandRowStep($row));
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
