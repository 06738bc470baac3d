// How much a test does. What is random or repeated is done a few times in the lanes that run with every change, and often in `npm run test:full`:
// there `races.full.test.ts`, which only imports `races.test.ts`, runs the same tests with the larger number.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `npm run test:full`. */
    isFull?: boolean;
  }
}

/** The one or the other, by the lane that runs. */
export function byLane<Value>(values: { readonly lane: Value; readonly full: Value }): Value {
  return inject("isFull") ? values.full : values.lane;
}
