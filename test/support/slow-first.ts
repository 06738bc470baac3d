// The order of test files where no run before says how long each takes, as after `npm ci`.
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take ten seconds and more, though they are small: vitest would begin the last of them when all others have ended. */
const SLOW = [
  "test/postgres/migrate.test.ts",
  "test/services/platform/audit-coverage.test.ts",
  "test/surfaces/graphql/isolation.test.ts",
  "test/surfaces/rest/isolation.test.ts",
  "test/services/dns/narrowed-isolation.test.ts",
  // Its answers are waited for until they no longer wait for a check.
  "test/services/signature/document-checks.test.ts",
  "test/services/signature/receipt-texts.test.ts",
  "test/services/signature/receipt-ranges.test.ts",
  "test/postgres/two-added-services.test.ts",
  "test/postgres/backup-refusals.test.ts",
  "test/adapters/outgoing-http/too-large.test.ts",
  "test/surfaces/rest/files.test.ts",
  "test/surfaces/http/actor-limit.test.ts",
  "test/verifier/tampering.test.ts",
  "test/verifier/verdicts.test.ts",
  "test/postgres/migration-patience.test.ts",
  "test/postgres/backup-administrator.test.ts",
];

/** Vitest's own order, with the slow files first: the largest file first, or the slowest one where it remembers. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.includes(path.relative(root, moduleId));
    const sorted = await super.sort(files);
    const { true: slow = [], false: others = [] } = Object.groupBy(sorted, (file) => `${isSlow(file)}`);
    return [...slow, ...others];
  }
}
