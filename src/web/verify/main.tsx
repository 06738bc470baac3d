import { showPage } from "../shell/page.tsx";
import { VerifyPage } from "./verify-page.tsx";
import { verifyWords } from "./words.ts";

showPage({ words: verifyWords, Content: VerifyPage });
