import type { ServiceIsolation } from "../../support/isolation/isolation.ts";

/** Its routes take keys in place of tokens: `keys.test.ts` asks them. */
export const isolation: ServiceIsolation = { prepare: async () => [], rest: {}, graphql: {} };
