import type { FactorStepProps } from "./factor/step.tsx";
import { later } from "./later.tsx";

/** Loaded when it is shown, because few participants have a second factor. */
export const FactorStep = later<FactorStepProps>(async () => (await import("./factor/step.tsx")).FactorStep);
