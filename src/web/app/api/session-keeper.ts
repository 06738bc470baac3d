import { readSession, type Session, signOut, switchTo } from "./auth.ts";
import type { Refusal } from "./refusal.ts";

export type Environment = "live" | "test";

/** What the page knows of its session. */
export type SessionState =
  /** Nobody is signed in. */
  | { readonly kind: "none"; readonly hasExpired: boolean }
  /** Whether somebody is signed in cannot be known now. */
  | { readonly kind: "fault"; readonly refusal: Refusal }
  | { readonly kind: "open"; readonly session: Session }
  /** It has ended while the page was open. What was typed stays. */
  | { readonly kind: "over"; readonly session: Session; readonly hasExpired: boolean };

const ENVIRONMENT = "selo.environment";
/** The csrf value with which this tab was refused, and then loaded again. */
const REFUSED = "selo.refused-csrf";

/**
 * The session of this tab. It keeps the csrf value that the page began with: after another tab has gone to another organization, this tab
 * is refused and loads again.
 */
export class SessionKeeper {
  #state: SessionState = { kind: "none", hasExpired: false };
  #environment: Environment = recallEnvironment();
  readonly #listeners = new Set<() => void>();

  get state(): SessionState {
    return this.#state;
  }

  get environment(): Environment {
    return this.#environment;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Asks who is signed in. */
  readonly open = async (): Promise<void> => {
    // It comes and goes with the cookie of the session, which no script can read.
    if (!/(?:^|; )inv_csrf=/.test(document.cookie)) {
      this.#become({ kind: "none", hasExpired: false });
      return;
    }
    const answer = await readSession();
    if (answer.ok) {
      this.opened(answer.body);
      return;
    }
    const { refusal } = answer;
    const isKnown = refusal.code === "session_expired" || refusal.code === "unauthenticated";
    this.#become(
      isKnown ? { kind: "none", hasExpired: refusal.code === "session_expired" } : { kind: "fault", refusal },
    );
  };

  /** Somebody has signed in. Who signs in as another person, or in another organization, begins with an empty page. */
  readonly opened = (session: Session): void => {
    const before = this.#state;
    if (before.kind === "over" && !isSame(before.session, session)) location.assign("/app");
    else this.#become({ kind: "open", session });
  };

  /** The service has refused a request by the session. */
  readonly refused = ({ code }: Pick<Refusal, "code">): void => {
    if (this.#state.kind !== "open") return;
    const { session } = this.#state;
    if (code === "session_expired" || code === "unauthenticated")
      this.#become({ kind: "over", session, hasExpired: code === "session_expired" });
    // Another role, or a second factor that is demanded since: the page follows what is now.
    else if (code === "forbidden") void this.#look(session);
    // Once: where loading does not help, the page says what was refused.
    else if (code === "csrf" && recallHere(REFUSED) !== session.csrf_token) {
      keepHere(REFUSED, session.csrf_token);
      location.reload();
    }
  };

  async #look(before: Session): Promise<void> {
    const answer = await readSession();
    if (!answer.ok) return;
    const { role, second_factor: factor, scopes } = answer.body;
    const isSame = role === before.role && factor === before.second_factor && scopes.length === before.scopes.length;
    if (!isSame && this.#state.kind === "open") this.#become({ kind: "open", session: answer.body });
  }

  /** @returns why nobody was signed out; null when all is done */
  readonly signOut = async (): Promise<Refusal | null> => {
    const { state } = this;
    if (state.kind === "open") {
      const answer = await signOut(state.session.csrf_token);
      if (!answer.ok && answer.refusal.code !== "session_expired" && answer.refusal.code !== "unauthenticated")
        return answer.refusal;
    }
    location.assign("/app");
    return null;
  };

  /** Goes to another organization of the person, and loads the page again. */
  readonly switchTo = async (organizationId: string): Promise<Refusal | null> => {
    if (this.#state.kind !== "open") return null;
    const answer = await switchTo(organizationId, this.#state.session.csrf_token);
    if (answer.ok) location.assign("/app");
    else this.refused(answer.refusal);
    return answer.ok ? null : answer.refusal;
  };

  /** The person, or the organization, is called otherwise from now on. */
  readonly amend = ({
    user,
    organizationName,
  }: {
    readonly user?: Pick<Session["user"], "name" | "language">;
    readonly organizationName?: string;
  }): void => {
    if (this.#state.kind !== "open") return;
    const { session } = this.#state;
    const { id } = session.organization;
    const name = organizationName ?? session.organization.name;
    this.#become({
      kind: "open",
      session: {
        ...session,
        user: { ...session.user, ...user },
        organization: { ...session.organization, name },
        organizations: session.organizations.map((each) => (each.id === id ? { ...each, name } : each)),
      },
    });
  };

  readonly setEnvironment = (environment: Environment): void => {
    this.#environment = environment;
    keepHere(ENVIRONMENT, environment);
    this.#tell();
  };

  #become(state: SessionState): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const isSame = (one: Session, other: Session) =>
  one.user.id === other.user.id && one.organization.id === other.organization.id;

/** Each tab has its own environment, over a reload. */
function recallEnvironment(): Environment {
  return recallHere(ENVIRONMENT) === "test" ? "test" : "live";
}

function recallHere(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function keepHere(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value);
  } catch {}
}
