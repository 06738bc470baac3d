import type { FastifyInstance } from "fastify";
import type { AddedCommand } from "../postgres/command.ts";
import type { ApiDescription } from "./openapi/api-description.ts";
import type { ExampleRequest } from "./openapi/examples/example-request.ts";
import type { Operation } from "./operation.ts";
import type { RestSurface } from "./rest/surface.ts";
import type { ServicePages } from "./web/service-pages.ts";

/** What REST, GraphQL, pages and the API description read of a service. `Parts` is the type of the objects that its operations work with. */
export interface ServedService<Parts = never> {
  /** Only for a service outside `sql/`: its commands, generated beside it. */
  readonly addedCommands?: Readonly<Record<string, AddedCommand>>;
  /** Its operations, in the order of `/docs`. */
  readonly operations?: readonly Operation<Parts>[];
  /** Paths that are no ordinary operations, such as a stream, below the prefix of their surface. */
  readonly ownRoutes?: readonly ((app: FastifyInstance, parts: Parts) => Promise<void>)[];
  /** The surface of `ownRoutes`; the main surface by default. */
  readonly ownRoutesSurface?: RestSurface;
  /** Its part of the API description beyond paths. */
  readonly openapi?: () => Promise<ApiDescription>;
  /** What pages know of it. */
  readonly pages?: () => Promise<ServicePages>;
  /** Requests whose real answers the documentation shows, in the order in which they run. */
  readonly examples?: () => Promise<readonly ExampleRequest[]>;
}
