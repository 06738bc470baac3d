import { type FieldArgs, inhibitOnNull, lambda, type NodeIdHandler, type Step } from "grafast";
import type {} from "graphile-build";
import type { GraphQLFieldConfigArgumentMap } from "graphql";
import type { PgResource } from "postgraphile/@dataplan/pg";
import { AppError } from "../../../errors/app-error.ts";
import { isWritable } from "../../wire-text.ts";
import { hasColumns, keyOf, keyReader, wrongId } from "./ids.ts";

/** What a nodeId says, in base64: the type of the object and its `id`. */
type Named = readonly [type: string, id: string];

/** What NodePlugin adds to the build. */
type Nodes = Required<Pick<GraphileBuild.Build, "registerNodeIdHandler" | "getNodeIdHandler" | "getNodeIdCodec">>;

const nodesOf = (build: GraphileBuild.Build) => build as Nodes;

type Row = Step & { get(column: string): Step };

const ARGUMENT = "id";
const CODEC = "base64JSON";

/**
 * Relay's global object identification. Every object that a query finds by its `id` is a `Node`: its `nodeId` names its type and its `id`, and `node` reads it from
 * the same view, with the same rights. The column `id` keeps its name, so the field has another; the argument of `node` is `id`, as Relay's specification has it.
 */
export const NodesPlugin: GraphileConfig.Plugin = {
  name: "NodesPlugin",
  after: ["PgTablesPlugin", "NodeIdCodecBase64JSONPlugin", "AddNodeInterfaceToSuitableTypesPlugin"],
  inflection: { replace: { nodeIdFieldName: () => "nodeId" } },
  schema: {
    hooks: {
      init(_, build) {
        for (const resource of Object.values(build.pgResources)) {
          const handler = handlerOf(build, resource);
          if (handler !== null) nodesOf(build).registerNodeIdHandler(handler);
        }
        return _;
      },
      GraphQLInterfaceType(type, build) {
        if (type.name === build.inflection.builtin("Node"))
          type.description = "An object that `node` reads again. `__typename` says of which type it is.";
        return type;
      },
      GraphQLInterfaceType_fields(fields, build, { Self }) {
        if (Self.name !== build.inflection.builtin("Node")) return fields;
        const { nodeId } = fields;
        return nodeId === undefined ? fields : { ...fields, nodeId: { ...nodeId, description: WORDS } };
      },
      GraphQLObjectType_fields(fields, build, { Self }) {
        const { nodeId } = fields;
        if (nodeId === undefined || build.getNodeIdHandler?.(Self.name) === undefined) return fields;
        return { ...fields, nodeId: { ...nodeId, description: WORDS } };
      },
      GraphQLObjectType_fields_field(field, build, { scope }) {
        if (!scope.isRootNodeField) return field;
        const { GraphQLID, GraphQLNonNull } = build.graphql;
        const args = {
          [ARGUMENT]: { type: new GraphQLNonNull(GraphQLID), description: "The `nodeId` of the object." },
        } satisfies GraphQLFieldConfigArgumentMap;
        const check = checkOf(build);
        return {
          ...field,
          description:
            "The object with this `nodeId`, as the query of its type answers it by `id`. Needs a token, also for what is public.",
          args: args as never,
          plan: (_$root: Step, fieldArgs: FieldArgs) => lambda(fieldArgs.getRaw(ARGUMENT), check),
        };
      },
    },
  },
};

const WORDS =
  "Identifies this object among the objects of all types, for `node`. Clients such as Relay keep objects by it.";

/** Null for a resource whose rows no query finds by their `id`. */
function handlerOf(build: GraphileBuild.Build, resource: PgResource): NodeIdHandler | null {
  const { codec, parameters, isUnique, isVirtual, uniques } = resource;
  if (parameters !== undefined || isUnique || isVirtual || !hasColumns(codec)) return null;
  const key = keyOf(build, codec);
  const unique = uniques.find(({ isPrimary }) => isPrimary);
  if (key === null || unique === undefined) return null;
  if (!build.behavior.pgResourceUniqueMatches([resource, unique], "query:resource:single")) return null;
  const typeName = build.inflection.tableType(codec);
  const shown = "id" in codec.attributes ? "id" : key;
  const read = unlessWrong(keyReader(build, codec, key));
  const match = (named: unknown): named is Named => isNamed(named) && named[0] === typeName;
  return {
    typeName,
    codec: nodesOf(build).getNodeIdCodec(CODEC),
    match,
    getIdentifiers: (named) => [read(named[1])],
    plan: ($row: Step) => lambda(($row as Row).get(shown), (id): Named => [typeName, String(id)]),
    // Grafast may plan the step where the nodeId of another type arrives, too.
    getSpec: ($named) => ({
      [key]: inhibitOnNull(lambda($named, (named: unknown) => (match(named) ? read(named[1]) : null))),
    }),
    get: (spec) => resource.get(spec),
  };
}

/** Reads null from a wrong id, instead of refusing it. */
function unlessWrong(read: (id: unknown) => unknown): (id: unknown) => unknown {
  return (id) => {
    try {
      return read(id);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  };
}

/** Lets a nodeId pass. @throws AppError 422 invalid_request for a text that no object can have as its nodeId */
function checkOf(build: GraphileBuild.Build): (nodeId: unknown) => unknown {
  const { encode, decode } = nodesOf(build).getNodeIdCodec(CODEC);
  const namedBy = (text: string): unknown => {
    try {
      return decode(text);
    } catch {
      return null;
    }
  };
  return (nodeId) => {
    const named = namedBy(String(nodeId));
    const id =
      isNamed(named) && isWritable(named[1])
        ? nodesOf(build).getNodeIdHandler(named[0])?.getIdentifiers(named)[0]
        : null;
    return id == null || encode(named) !== nodeId ? wrongId("must be a nodeId", ARGUMENT) : nodeId;
  };
}

const isNamed = (named: unknown): named is Named =>
  Array.isArray(named) && named.length === 2 && named.every((part) => typeof part === "string");
