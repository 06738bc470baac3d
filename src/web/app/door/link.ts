/** The pages that a mailed link opens. */
const PAGES = ["/app/welcome", "/app/invitation"];
const STORED = "selo.link";

/** A link that was opened in this tab: its page, and the secret, which is the part after `#`. */
interface OpenedLink {
  readonly page: string;
  readonly secret: string;
}

/** Reads the secret of a link, and removes it from the address and from the history. This tab keeps it until it is used. */
export function takeLink(): string | null {
  const page = PAGES.find((each) => each === location.pathname);
  if (page === undefined) return null;
  // Another link in the same tab changes the fragment alone, which loads nothing.
  addEventListener("hashchange", () => location.reload());
  const given = location.hash.slice(1);
  if (given === "") {
    const kept = recall();
    return kept?.page === page ? kept.secret : null;
  }
  history.replaceState(history.state, "", location.pathname + location.search);
  const secret = given.slice(0, 200);
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ page, secret } satisfies OpenedLink));
  } catch {}
  return secret;
}

function recall(): OpenedLink | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "null") as OpenedLink | null;
  } catch {
    return null;
  }
}

/** The link was used. */
export function forgetLink(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {}
}
