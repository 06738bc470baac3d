/** The only script of the reference: buttons that copy, and forms that send a request. The pages can be read without it. */
import { send } from "./request.ts";

document.documentElement.dataset["script"] = "on";
// One token for all forms of the page. It is kept nowhere else.
const tokens = document.querySelectorAll<HTMLInputElement>("[data-token]");

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset["token"] === undefined) return;
  for (const each of tokens) if (each !== target) each.value = target.value;
});

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>("[data-copy]") : null;
  if (button !== null) void copy(button);
});

document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  void send(event.target);
});

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = button.closest("figure")?.querySelector("code");
  if (code == null) return;
  const isCopied = await navigator.clipboard.writeText(code.textContent).then(
    () => true,
    () => false,
  );
  // Where the page may not write the clipboard, the text is selected, ready to be copied by hand.
  if (!isCopied) getSelection()?.selectAllChildren(code);
  button.textContent = isCopied ? "Copied" : "Selected";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2_000);
}
