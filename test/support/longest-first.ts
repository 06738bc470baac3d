// The order of test files: the longest first, by test/durations.json, so that no process works alone at the end.
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { durations } from "./durations.ts";

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = durations();
    const cost = ({ moduleId }: TestSpecification) => {
      const duration = known[path.relative(this.ctx.config.root, moduleId)];
      // A file that nobody has measured may be long.
      return duration === undefined ? Number.POSITIVE_INFINITY : (duration.time ?? duration.own + duration.postgres);
    };
    return files.toSorted((one, other) => cost(other) - cost(one) || one.moduleId.localeCompare(other.moduleId));
  }
}
