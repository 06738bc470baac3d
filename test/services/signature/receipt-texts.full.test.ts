// A receipt is one clean page, with the longest texts of each kind of character, in both environments.
import { afterAll, beforeAll, describe, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { ENVIRONMENTS, expectOnePage, LONGEST } from "./receipt-text-stage.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo?.stop());

describe.each(ENVIRONMENTS)("%s", (environment) => {
  test.each(LONGEST)("255, 200 and 255 of %s fit on one page, with everything else in its place", (_, character) =>
    expectOnePage(selo, character, environment),
  );
});
