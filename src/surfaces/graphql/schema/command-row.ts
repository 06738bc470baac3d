import { type AccessStep, access, type Step, type UnbatchedExecutionExtra, UnbatchedStep } from "grafast";
import { assertPgClassSingleStep } from "postgraphile/@dataplan/pg";

/**
 * A row of a view of schema api as a command answered it: JSON with the view's columns. Fields of its GraphQL type read
 * from it as from a row of the view. It contains columns only, no relations.
 */
export class CommandRowStep extends UnbatchedStep {
  static override $$export = { moduleName: "selo", exportName: "CommandRowStep" };
  override isSyncAndSafe = true;

  constructor($row: Step) {
    super();
    this.addDependency($row);
  }

  get(column: string): AccessStep<unknown> {
    return access(this, column);
  }

  override unbatchedExecute(_extra: UnbatchedExecutionExtra, row: unknown): unknown {
    return row;
  }
}

/** Lets types of views read rows of commands, beside the rows of Postgres that PostGraphile expects. */
export const CommandRowPlugin: GraphileConfig.Plugin = {
  name: "CommandRowPlugin",
  schema: {
    hooks: {
      GraphQLObjectType(type, _build, { scope }) {
        if (scope.isPgClassType) {
          type.assertStep = (step: Step) => {
            if (!(step instanceof CommandRowStep)) assertPgClassSingleStep(step);
          };
        }
        return type;
      },
    },
  },
};
