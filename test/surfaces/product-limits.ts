import { commands } from "../../src/postgres/generated/commands.ts";
import { services } from "../../src/services/services.ts";
import { testLimits } from "../support/limits.ts";
import { operationFacts, productFacts } from "../support/service-facts.ts";

/** Tests the limits of the product's commands: in SQL and at the border in REST and GraphQL, or in full in REST and GraphQL. */
export function testProductLimits(isFull: boolean): void {
  testLimits(services as never, commands, {
    isFull,
    withoutPath: productFacts.flatMap(({ withoutPath = [] }) => withoutPath),
    beyond: productFacts.flatMap(({ surfaces = [] }) => surfaces),
    operations: operationFacts,
  });
}
