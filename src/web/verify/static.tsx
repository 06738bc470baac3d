import { PLACEHOLDERS } from "../shell/facts.ts";
import type { StaticPage } from "../site/static-page.ts";
import { verifyWords } from "./languages.ts";
import { Verify } from "./verify.tsx";

/** What visitors see before the script runs: the questions at /verify, and the place of the verdict at /verify/{code}. */
export const verifyPages: readonly StaticPage[] = (["verify", "verify-code"] as const).map((name) => ({
  name,
  section: "verify",
  ...(name === "verify-code" ? { isPrivate: true as const, path: "/verify/:code" } : {}),
  title: (language) => verifyWords[language].title,
  description: (language) => verifyWords[language].lead,
  content: (language) => <Verify language={language} facts={PLACEHOLDERS} isByCode={name === "verify-code"} />,
}));
