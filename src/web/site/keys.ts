/** Lists the keys that this server publishes: on /trust, where people compare them with a copy. */
import { languageOfDocument } from "../shell/language.ts";

/** As the API answers it. */
interface PublishedKey {
  readonly key_id: string;
  readonly environment: "live" | "test";
  readonly status: string;
  readonly created_at: string;
}

export async function listKeys(place: HTMLElement): Promise<void> {
  const list = place.querySelector("dl");
  if (list === null) return;
  try {
    const response = await fetch("/api/v1/public/platform-key", { headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { platform_keys: keys } = (await response.json()) as { readonly platform_keys: readonly PublishedKey[] };
    list.replaceChildren(...keys.map((key) => row(key, place.dataset)));
  } catch {
    const sentence = document.createElement("p");
    sentence.textContent = place.dataset["none"] ?? "";
    list.replaceWith(sentence);
  }
}

function row({ key_id, environment, status, created_at }: PublishedKey, words: DOMStringMap): HTMLElement {
  // British order of day and month, as everywhere in the English pages.
  const locale = languageOfDocument() === "en" ? "en-GB" : languageOfDocument();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(created_at));
  const kind = [words[environment], ...(status === "active" ? [] : [words["retired"]])].join(" · ");
  const id = element("dd", element("p", key_id), element("p", `${words["since"]} ${day}`));
  id.firstElementChild?.classList.add("mono");
  id.lastElementChild?.classList.add("small", "quiet");
  return element("div", element("dt", kind), id);
}

function element(name: string, ...content: readonly (string | HTMLElement)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
