import type { Language } from "../../shell/language.ts";
import type { Signing } from "../service.ts";
import type { Flow } from "../use-signing.ts";
import type { SignWords } from "../words.ts";
import type { CertificateFlow } from "./use-certificate.ts";
import type { CertificateWords } from "./words.ts";

/** What each step of a certificate has. */
export interface StepProps {
  readonly flow: Flow;
  readonly all: SignWords;
  readonly words: CertificateWords;
  readonly language: Language;
  readonly signing: Signing;
  readonly certificate: CertificateFlow;
}
