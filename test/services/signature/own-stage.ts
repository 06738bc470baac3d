// One gateway and one organization for all tests of a file.
import { afterAll, beforeAll } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type EnvelopeStage, openStage } from "./envelope-stage.ts";

/** The gateway of the file whose tests run. */
export let selo: TestGateway;
export let stage: EnvelopeStage;

export function setUpStage(): void {
  beforeAll(async () => {
    selo = await startTestGateway();
    stage = await openStage(selo);
  });
  afterAll(() => selo.stop());
}
