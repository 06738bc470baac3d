// What most visitors never see, or see last, as one file: several would share more files, and weigh more.
export { readEnvelopeEvidence } from "../../verifier/envelope-evidence.ts";
export { Comparison } from "./comparison.tsx";
export { EnvelopePage } from "./envelope/envelope-page.tsx";
export { Keys } from "./keys.tsx";
export { Offline } from "./offline.tsx";
