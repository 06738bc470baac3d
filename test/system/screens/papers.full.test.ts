// Receipts in both languages, mails in both widths, themes and languages. In one look: papers.test.ts.
import { everyLook } from "./looks.ts";
import { MAILS, photographPapers } from "./papers-group.ts";

photographPapers(
  [
    ["receipt", "en"],
    ["receipt", "pt-BR"],
    ["receipt-of-a-test", "en"],
    ["receipt-of-a-test", "pt-BR"],
  ],
  everyLook(MAILS),
);
