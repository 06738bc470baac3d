import type { CertificateDoneProps, CertificateStepsProps } from "./certificate/steps.tsx";
import { later } from "./later.tsx";

/** Loads what only few participants need: the page has a limit of bytes before it stands. */
const load = () => import("./certificate/steps.tsx");

/** Loads the steps before they are shown. */
export function preloadCertificate(): void {
  // The step tries again, and says what is wrong.
  load().catch(() => {});
}

export const CertificateSteps = later<CertificateStepsProps>(async () => (await load()).Steps);
export const CertificateDone = later<CertificateDoneProps>(async () => (await load()).CertificateDone);
