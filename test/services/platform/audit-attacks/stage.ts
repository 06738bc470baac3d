// What the files beside attack: each has its own stage, from before its first test until after its last.
import { beforeAll } from "vitest";
import type { TestGateway } from "../../../support/gateway.ts";
import { AuditStage } from "../audit-stage.ts";

/** The stage of the file whose tests run, with its gateway and organization: to be read in tests and hooks. */
export let stage: AuditStage;
export let selo: TestGateway;
export let organization: AuditStage["organization"];

/** Opens the stage before the tests of the file that calls it, and closes it after them. */
export function attackStage(): void {
  beforeAll(async () => {
    stage = await AuditStage.open();
    ({ selo, organization } = stage);
    return () => stage.close();
  }, 120_000);
}
