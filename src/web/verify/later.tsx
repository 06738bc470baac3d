// What most visitors never see, or see last, as one file: several would share more files, and weigh more.
export { Comparison } from "./comparison.tsx";
export { Details } from "./details.tsx";
export { EnvelopePage } from "./envelope/envelope-page.tsx";
export { FileFingerprint } from "./file-fingerprint.tsx";
export { Keys } from "./keys.tsx";
export { NameForm } from "./name-form.tsx";
export { Offline } from "./offline.tsx";
