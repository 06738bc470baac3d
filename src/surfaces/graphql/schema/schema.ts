import "../setup.ts";
import { PgSimplifyInflectionPlugin, PgSimplifyInflectionPreset } from "@graphile/simplify-inflection";
import { type GraphQLSchema, lexicographicSortSchema } from "graphql";
import { makeSchema } from "postgraphile";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { PostGraphileConnectionFilterPreset } from "postgraphile-plugin-connection-filter";
import type { AddedCommand } from "../../../postgres/command.ts";
import type { ReadService } from "../../../postgres/read-service.ts";
import { examplesOf } from "../../openapi/examples.ts";
import type { ServedService } from "../../served-service.ts";
import { requireSoundOperations } from "../../sound-operations.ts";
import type { ResolverClass } from "../context.ts";
import { requireValidExamples } from "../examples.ts";
import { resolverOf } from "../resolver-of.ts";
import { CommandRowPlugin } from "./command-row.ts";
import { commandsPlugin } from "./commands.ts";
import { CountsPlugin } from "./counts.ts";
import { DescriptionsPlugin } from "./descriptions.ts";
import { EnumsPlugin } from "./enums.ts";
import { FunctionsPlugin } from "./functions.ts";
import { IdsPlugin } from "./ids.ts";
import { LinksPlugin } from "./links.ts";
import { NamesPlugin } from "./names.ts";
import { NodesPlugin } from "./nodes.ts";
import { OpenFieldsPlugin } from "./open-fields.ts";
import { OptInPlugin } from "./opt-in.ts";
import { PagesPlugin } from "./pages.ts";
import { ScalarsPlugin } from "./scalars.ts";
import { SearchPlugin } from "./search.ts";
import { type Shapes, shapesOf, shapesPlugin } from "./shapes.ts";
import { TagsPlugin } from "./tags.ts";
import { typeGraphqlPlugin } from "./type-graphql.ts";
import { unknownCommandsPlugin } from "./unknown-commands.ts";

/** The schema that Grafast executes, with the settings it was made with. */
export interface GatewaySchema {
  readonly schema: GraphQLSchema;
  /** For Apollo: it may add resolvers to the fields of its schema, which Grafast refuses in its own. */
  readonly sortedCopy: GraphQLSchema;
  readonly resolvedPreset: GraphileConfig.ResolvedPreset;
}

/** Takes the names of functions of schema api that were left out of the schema. */
type TellUnknown = (names: readonly string[]) => void;

/** Names such as proof(id) for proofById(id). Plugins that are left out here need no names. */
const shortNames: GraphileConfig.Preset = {
  ...PgSimplifyInflectionPreset,
  plugins: [
    {
      ...PgSimplifyInflectionPlugin,
      inflection: {
        ...PgSimplifyInflectionPlugin.inflection,
        ignoreReplaceIfNotExists: Object.keys(PgSimplifyInflectionPlugin.inflection?.replace ?? {}) as never[],
      },
    },
  ],
};

/** PostGraphile's view of schema api, with the fields of operations that SQL cannot do. */
function preset(
  resolvers: readonly ResolverClass[],
  shapes: Shapes,
  added: readonly AddedCommand[],
  reads: ReadService,
  tellUnknown: TellUnknown | null,
): GraphileConfig.Preset {
  return {
    extends: [PostGraphileAmberPreset, shortNames, PostGraphileConnectionFilterPreset],
    plugins: [
      TagsPlugin,
      NamesPlugin,
      IdsPlugin,
      NodesPlugin,
      EnumsPlugin,
      LinksPlugin,
      ScalarsPlugin,
      shapesPlugin(shapes),
      FunctionsPlugin,
      DescriptionsPlugin,
      OptInPlugin,
      PagesPlugin,
      SearchPlugin,
      CountsPlugin,
      CommandRowPlugin,
      OpenFieldsPlugin,
      commandsPlugin(added),
      typeGraphqlPlugin(
        resolvers,
        [...shapes.values()].flatMap(({ made }) => made ?? []),
      ),
      ...(tellUnknown === null ? [] : [unknownCommandsPlugin(added, tellUnknown)]),
    ],
    disablePlugins: [
      // The gateway's login may not execute functions of schema api directly, only through gateway.call. Catalog tests check the rights.
      "PgRBACPlugin",
      // NodesPlugin says which objects are nodes, and one field reads them all.
      "PgTableNodePlugin",
      "NodeAccessorPlugin",
      "RegisterQueryNodePlugin",
      "PgNodeIdAttributesPlugin",
      "QueryQueryPlugin",
      "MutationPayloadQueryPlugin",
      // Only commands write.
      "PgMutationCreatePlugin",
      "PgMutationUpdateDeletePlugin",
      "PgMutationPayloadEdgePlugin",
      "PgConnectionArgFilterLogicalOperatorsPlugin",
      // No index serves a filter by what an object leads to.
      "PgConnectionArgFilterBackwardRelationsPlugin",
      "PgConnectionArgFilterForwardRelationsPlugin",
      // PagesPlugin, CountsPlugin and OptInPlugin replace these.
      "PgFirstLastBeforeAfterArgsPlugin",
      "PgConnectionTotalCountPlugin",
      "PgConditionArgumentPlugin",
      "PgConditionCustomFieldsPlugin",
      "PgConnectionArgOrderByPlugin",
      "PgConnectionArgOrderByDefaultValuePlugin",
      "PgOrderAllAttributesPlugin",
      "PgOrderByPrimaryKeyPlugin",
      "PgOrderCustomFieldsPlugin",
    ],
    schema: {
      dontSwallowErrors: true,
      pgForbidSetofFunctionsToReturnNull: true,
      connectionFilterAllowedOperators: [
        "equalTo",
        "in",
        "lessThan",
        "lessThanOrEqualTo",
        "greaterThan",
        "greaterThanOrEqualTo",
      ],
      connectionFilterArrays: false,
      connectionFilterComputedColumns: false,
      connectionFilterSetofFunctions: false,
      connectionFilterAllowNullInput: true,
      connectionFilterAllowEmptyObjectInput: true,
    },
    pgServices: [reads],
    grafast: { explain: false },
  };
}

/**
 * Builds the schema from the catalog of the database. PostGraphile only prints a warning about things it cannot use (an unreadable
 * enum table, a broken smart tag) and leaves them out; here a warning is an error.
 * @param tellUnknown leaves out functions that a later version made, and is told their names. Without it such a function is an error.
 */
export async function buildGatewaySchema(
  services: readonly Pick<ServedService, "operations" | "addedCommands" | "examples" | "openapi">[],
  reads: ReadService,
  tellUnknown: TellUnknown | null = null,
): Promise<GatewaySchema> {
  const all = services.flatMap(({ operations = [] }) => operations);
  requireSoundOperations(all, await examplesOf(services));
  const made = services.flatMap(({ operations = [] }) => operations.map((operation) => resolverOf(operation)));
  const resolvers = made.filter((resolver) => resolver !== null);
  const shapes = await shapesOf(services);
  const added = services.flatMap(({ addedCommands }) => Object.values(addedCommands ?? {}));
  const built = await withoutWarnings(() => makeSchema(preset(resolvers, shapes, added, reads, tellUnknown)));
  requireValidExamples(built.schema, all);
  return { ...built, sortedCopy: lexicographicSortSchema(built.schema) };
}

/** Nothing else writes to the console during the build, so every line is the builder's. */
async function withoutWarnings<Result>(build: () => Promise<Result>): Promise<Result> {
  const warnings: string[] = [];
  const { warn, error, log } = console;
  const collect = (...parts: unknown[]) => void warnings.push(parts.map(String).join(" "));
  Object.assign(console, { warn: collect, error: collect, log: collect });
  try {
    const result = await build();
    if (warnings.length > 0) throw new Error(`The GraphQL schema was built with warnings:\n${warnings.join("\n")}`);
    return result;
  } finally {
    Object.assign(console, { warn, error, log });
  }
}
