import { showPage } from "../shell/page.tsx";
import { VerifyPage } from "./verify-page.tsx";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

showPage({ words: { en, "pt-BR": ptBr }, Content: VerifyPage });
