// Each receipt in one language, each mail in one look. In every one: papers.full.test.ts.
import { looksInTurn } from "./looks.ts";
import { MAILS, photographPapers } from "./papers-group.ts";

photographPapers(
  [
    ["receipt", "pt-BR"],
    ["receipt-of-a-test", "en"],
  ],
  looksInTurn(MAILS),
);
