import type { FastifyInstance } from "fastify";
import type { Beside, ServiceTask, WorkerHouse } from "../workers/task.ts";
import type { CommandName } from "./postgres/generated/commands.ts";
import type { CommandGroup } from "./surfaces/cli/command-group.ts";
import type { GraphqlParts, ResolverClass } from "./surfaces/graphql/context.ts";
import type { ExampleRequest } from "./surfaces/openapi/examples/example-request.ts";
import type { RestParts } from "./surfaces/rest/handler.ts";
import type { Route } from "./surfaces/rest/route.ts";

/** What every service's handlers and resolvers work with. */
export interface CommonParts extends RestParts, GraphqlParts {}

/**
 * What a service gives the house: data, and functions that import what they need when they are called.
 * `Parts` is what its handlers and resolvers work with; whoever starts a gateway makes the parts of all services.
 */
export interface Service<Parts = never> {
  /** Its folder, its schema in the database, and the beginning of its jobs' names. */
  readonly name: string;
  /** Its documented paths, in the order of `/docs`. */
  readonly routes?: readonly Route<Parts>[];
  /** Paths that are no calls of a command, such as a stream; registered beside the routes, with the same beginning. */
  readonly ownRoutes?: (app: FastifyInstance, parts: Parts) => Promise<void>;
  /** Classes of TypeGraphQL, for what SQL cannot do. */
  readonly resolvers?: () => Promise<readonly ResolverClass[]>;
  /** The command whose GraphQL mutation takes files, and how long one may be. */
  readonly uploads?: { readonly command: CommandName; readonly mostBytes: (parts: Parts) => number };
  /** Requests whose real answers the documentation shows, in the order in which they are made. */
  readonly examples?: () => Promise<readonly ExampleRequest[]>;
  /** Its words of the command line. */
  readonly commands?: readonly CommandGroup[];
  /** Its jobs, by the second part of their names in the queue: `seal_audit` of `platform__seal_audit`. */
  readonly tasks?: Readonly<Record<string, ServiceTask>>;
  /** What runs as long as a worker does, beside its jobs. */
  readonly beside?: (house: WorkerHouse) => Promise<Beside>;
}
