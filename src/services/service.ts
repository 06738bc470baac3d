import type { WorkedService } from "../../workers/worked-service.ts";
import type { CommandedService } from "../surfaces/cli/command-group.ts";
import type { ServedService } from "../surfaces/served-service.ts";
import type { StartedService } from "./started-service.ts";

/**
 * The definition of a service: data, and functions that import files when they are called. Each reader defines the part that it reads.
 * `Parts` is the type of the objects that its operations work with.
 */
export interface Service<Parts = never>
  extends ServedService<Parts>,
    CommandedService,
    WorkedService,
    StartedService<Parts> {
  /** The name of its folder and of its schema in the database, and the beginning of its jobs' names. */
  readonly name: string;
}
