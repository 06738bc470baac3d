import { languageOfDocument } from "../shell/language.ts";

const WORDS = {
  en: { copy: "Copy", copied: "Copied", failed: "Copying failed" },
  "pt-BR": { copy: "Copiar", copied: "Copiado", failed: "Não foi possível copiar" },
};
/** How long the button says that it copied. */
const SAID_MS = 2_000;

/** Puts a copy button beside the caption of each block of code. A page without this script, or in a browser that cannot copy, has no button. */
export function addCopyButtons(): void {
  // Browsers give it to secure pages only.
  if (!("clipboard" in navigator)) return;
  const words = WORDS[languageOfDocument()];
  for (const caption of document.querySelectorAll("figure.sample > figcaption")) {
    const code = caption.parentElement?.querySelector("code");
    if (code == null) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button slim";
    const say = (text: string) => {
      button.textContent = text;
      setTimeout(() => (button.textContent = words.copy), SAID_MS);
    };
    button.textContent = words.copy;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(code.textContent ?? "").then(
        () => say(words.copied),
        () => say(words.failed),
      );
    });
    caption.append(button);
  }
}
