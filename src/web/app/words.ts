import type { RoleName } from "./api/auth.ts";

export interface RoleWords {
  /** In lists. */
  readonly short: string;
  readonly name: string;
  readonly text: string;
}

/** The words of the frame and of signing in. Places such as `{email}` are filled with facts. Each area has its own words. */
export interface AppWords {
  readonly title: string;
  readonly description: string;
  readonly opening: string;
  readonly noScript: { readonly heading: string; readonly text: string };
  readonly cookies: string;
  readonly cookiesOnly: string;
  readonly privacy: string;
  readonly skip: string;
  readonly home: string;
  readonly roles: Readonly<Record<RoleName, RoleWords>>;
  readonly show: string;
  readonly hide: string;
  readonly showPassword: string;
  readonly cancel: string;
  readonly close: string;
  readonly save: string;
  readonly saved: string;
  readonly loading: string;
  readonly retry: string;
  /** Below a list that is longer than what is shown. */
  readonly more: string;
  readonly rowsSoFar: string;
  readonly allRows: string;
  readonly requestCode: string;
  readonly copy: string;
  readonly copied: string;
  readonly byHand: string;
  /** What is said of a refusal, by its code. */
  readonly refusals: Readonly<
    Record<
      | "no_network"
      | "unavailable"
      | "rate_limited"
      | "forbidden"
      | "not_found"
      | "conflict"
      | "csrf"
      | "passkey_canceled"
      | "passkey_known"
      | "passkey_refused"
      | "last_owner"
      | "too_many_attempts"
      | "other",
      string
    >
  >;
  readonly enter: {
    readonly heading: string;
    readonly email: string;
    readonly emailMissing: string;
    readonly password: string;
    readonly passwordMissing: string;
    readonly forgot: string;
    readonly submit: string;
    readonly passkey: string;
    readonly wrong: string;
    readonly noAccess: string;
    readonly expired: string;
  };
  readonly wait: {
    readonly heading: string;
    readonly text: string;
    readonly label: string;
    readonly minutes: string;
    readonly seconds: string;
    readonly until: string;
    readonly again: string;
    readonly now: string;
    readonly other: string;
    readonly notYou: string;
  };
  readonly factor: {
    readonly heading: string;
    readonly text: string;
    readonly code: string;
    readonly changes: string;
    readonly malformed: string;
    readonly wrong: string;
    readonly submit: string;
    readonly recovery: string;
    readonly back: string;
    readonly recoveryHeading: string;
    readonly recoveryText: string;
    readonly recoveryCode: string;
    readonly recoveryWrong: string;
    readonly app: string;
    readonly lost: string;
    readonly lostText: string;
  };
  readonly forgot: {
    readonly heading: string;
    readonly text: string;
    readonly submit: string;
    readonly sentHeading: string;
    readonly sentText: string;
    readonly notCome: string;
    readonly backToEnter: string;
    readonly other: string;
  };
  readonly welcome: {
    readonly heading: string;
    readonly text: string;
    readonly password: string;
    readonly hint: string;
    readonly length: string;
    readonly easy: string;
    readonly submit: string;
    readonly deadHeading: string;
    readonly deadText: string;
    readonly deadNext: string;
    readonly doneHeading: string;
    readonly doneText: string;
    readonly enter: string;
  };
  readonly invitation: {
    readonly heading: string;
    readonly role: string;
    readonly known: string;
    readonly name: string;
    readonly nameMissing: string;
    readonly language: string;
    readonly choose: string;
    readonly yours: string;
    readonly yoursHint: string;
    readonly submit: string;
    readonly seen: string;
    readonly unexpected: string;
    readonly deadHeading: string;
    readonly deadText: string;
    readonly deadNext: string;
    readonly haveAccount: string;
    readonly wrong: string;
  };
  readonly over: {
    readonly expiredHeading: string;
    readonly expiredText: string;
    readonly endedHeading: string;
    readonly endedText: string;
    readonly kept: string;
    readonly submit: string;
    readonly discard: string;
  };
  readonly panel: {
    readonly navigation: string;
    readonly main: string;
    readonly account: string;
    readonly openMenu: string;
    readonly closeMenu: string;
    readonly switchOrganization: string;
    readonly environment: string;
    readonly live: string;
    readonly test: string;
    readonly testHeading: string;
    readonly testText: string;
    readonly overview: string;
    readonly members: string;
    readonly tokens: string;
    readonly dnsKeys: string;
    readonly organization: string;
    readonly you: string;
    readonly signOut: string;
    readonly nowhereHeading: string;
    readonly nowhereText: string;
    readonly faultHeading: string;
  };
}
