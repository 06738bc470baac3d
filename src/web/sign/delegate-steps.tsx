import type { DelegatedProps, DelegateStepProps } from "./delegate/steps.tsx";
import { later } from "./later.tsx";

/** Loads what only few participants need. */
const load = () => import("./delegate/steps.tsx");

export const DelegateStep = later<DelegateStepProps>(async () => (await load()).DelegateStep);
export const Delegated = later<DelegatedProps>(async () => (await load()).Delegated);
