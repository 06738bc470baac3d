import type { Page } from "playwright-core";
import { addPerson, PASSWORD, sessionHeaders, trySignIn } from "../../../services/accounts/accounts-stage.ts";
import { graphql } from "../../../support/graphql-client.ts";
import type { State, States } from "../../screens/state.ts";
import { type AppStage, enter, openAppStage, welcomeLink } from "../app-stage.ts";

interface StateStage extends AppStage {
  /** The session of an owner who is at home in two organizations, by the language. */
  readonly sessions: Readonly<Record<string, string>>;
  readonly welcome: string;
}

export async function openStates(): Promise<StateStage> {
  const stage = await openAppStage({ PRIVACY_URL: "https://selo.example/privacidade" });
  const { selo, organization } = stage;
  const other = await selo.newOrganization({ name: "Contábil Sá" });
  const member = await addPerson(selo, organization, "member", "davi@acme.example");
  await selo.database.admin.query("update accounts.people set name = 'Davi Nunes' where id = $1", [member.id]);
  const sessions: Record<string, string> = {};
  for (const language of ["en", "pt-BR"]) {
    const email = `ana.${language.toLowerCase()}@acme.example`;
    const { id } = await addPerson(selo, organization, "owner", email);
    await addPerson(selo, other, "accountant", email);
    await selo.database.admin.query("update accounts.people set name = 'Ana Lima', language = $2 where id = $1", [
      id,
      language,
    ]);
    const signedIn = await trySignIn(selo, email);
    const headers = sessionHeaders(signedIn);
    sessions[language] = headers.cookie;
    const zone = language === "en" ? "acme.example" : "loja.acme.example";
    await graphql(selo, headers, `mutation { createDnsZone(input: { name: "${zone}" }) { zone { id } } }`);
  }
  const welcome = await welcomeLink(stage, { email: "bruno@acme.example", role: "accountant" });
  return { ...stage, sessions, welcome };
}

/** Nobody is signed in: all states of a language share one browser. */
const asNobody = (page: Page) => page.context().clearCookies();

async function asOwner(page: Page, { sessions, selo }: StateStage): Promise<void> {
  const language = (await page.evaluate<string>("navigator.language")) === "en" ? "en" : "pt-BR";
  await page.context().addCookies(
    (sessions[language] ?? "").split("; ").map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return { name, value, url: selo.baseUrl };
    }),
  );
}

const door = (path: string, more: Partial<State<StateStage>> = {}): State<StateStage> => ({
  path: () => path,
  before: asNobody,
  shown: ".app.door form",
  ...more,
});
const inside = (path: string, more: Partial<State<StateStage>> = {}): State<StateStage> => ({
  path: () => path,
  before: asOwner,
  shown: ".app.panel main h1",
  ...more,
});
/** Differs little from another state of its page. */
const oneMore: Partial<State<StateStage>> = { onlyInFull: true };
const drawn = (name: string) => ({ mockup: { "pt-BR": name } });
const answered = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  contentType: "application/json",
  body: JSON.stringify({ detail: { code, message: "said" }, request_id: "req_1" }),
});
const refusedAtTheDoor = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) => ({
  before: async (page: Page) => {
    await asNobody(page);
    await page.route("**/api/v1/auth/sign-in", (route) => route.fulfill(answered(status, code, headers)));
  },
  act: (page: Page) => enter(page, "ana@acme.com.br"),
});

/** An invitation of a person who is new, or known. */
const invited = (known: boolean) =>
  door("/app/invitation#AAAA", {
    before: async (page) => {
      await asNobody(page);
      const body = { organization: "Acme Tecnologia Ltda.", email: "elis@acme.com.br", role: "member", known };
      await page.route("**/api/v1/auth/invitations/read", (route) => route.fulfill({ json: body }));
    },
  });

/** What the service answers for some commands. */
async function answerGraph(page: Page, answers: Readonly<Record<string, object>>): Promise<void> {
  await page.route("**/graphql", (route) => {
    const { operationName = "" } = route.request().postDataJSON() as { readonly operationName?: string };
    const answer = answers[operationName];
    return answer === undefined ? route.fallback() : route.fulfill(answer);
  });
}

/** A person with an app and a passkey. */
async function withFactors(page: Page, stage: StateStage): Promise<void> {
  await asOwner(page, stage);
  const passkey = { id: "00000000-0000-4000-8000-000000000002", name: "Celular da Ana", lastUsedAt: null };
  const secondFactor = {
    secondFactor: "totp",
    recoveryCodesLeft: 7,
    totpSince: "2026-11-26T12:00:00Z",
    passkeys: [{ ...passkey, createdAt: "2026-11-26T12:00:00Z" }],
  };
  await answerGraph(page, { SecondFactor: { json: { data: { secondFactor } } } });
}

export const STATES: States<State<StateStage>> = {
  "app-enter": door("/app", { ...drawn("enter-1-entrar"), walked: true }),
  "app-wrong": door("/app", {
    ...drawn("enter-1b-senha-errada"),
    ...refusedAtTheDoor(401, "unauthenticated"),
    shown: "[role=alert]",
  }),
  "app-wait": door("/app", {
    ...drawn("enter-1c-muitas-tentativas"),
    ...refusedAtTheDoor(429, "too_many_attempts", { "retry-after": "702" }),
    shown: ".wait",
  }),
  "app-code": door("/app", {
    ...drawn("enter-2-segundo-fator"),
    ...refusedAtTheDoor(401, "second_factor_required"),
    shown: ".code-input",
  }),
  "app-recovery": door("/app", {
    ...refusedAtTheDoor(401, "second_factor_required"),
    act: async (page) => {
      await enter(page, "ana@acme.com.br");
      await page.getByRole("button", { name: /^(Use a recovery code|Usar um código de recuperação)$/ }).click();
    },
    shown: ".app.door details",
  }),
  "app-busy": door("/app", { ...oneMore, ...refusedAtTheDoor(503, "unavailable"), shown: ".notice.bad" }),
  "app-forgot": door("/app/password", { ...drawn("enter-3-esqueci") }),
  "app-forgot-sent": door("/app/password", {
    act: async (page) => {
      await page.getByLabel("E-mail").fill("ana@acme.com.br");
      await page.locator("button[type=submit]").click();
    },
    shown: "[role=status]",
  }),
  "app-welcome": door("/app/welcome", {
    ...drawn("enter-3c-nova-senha"),
    path: ({ welcome }) => welcome,
    walked: true,
  }),
  "app-dead-link": door("/app/welcome", { ...drawn("enter-4c-convite-vencido"), shown: ".state-mark" }),
  "app-invitation": { ...invited(false), ...drawn("enter-4-convite"), walked: true },
  "app-invitation-known": { ...oneMore, ...invited(true), ...drawn("enter-4b-convite-conhecido") },
  "app-factor-demanded": inside("/app", {
    ...drawn("enter-5-exigido"),
    before: async (page, stage) => {
      await asOwner(page, stage);
      await page.route("**/api/v1/auth/session", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), second_factor: "missing" } });
      });
    },
    shown: ".app.door h1:text-matches('second factor|segundo fator')",
    walked: true,
  }),
  "app-session-over": inside("/app/account", {
    ...drawn("panel-13-sessao-venceu"),
    act: async (page) => {
      const error = { message: "said", extensions: { code: "session_expired", requestId: "req_1" } };
      await answerGraph(page, { UpdateAccount: { status: 401, json: { errors: [error] } } });
      await page.getByLabel(/^(Name|Nome)$/).fill("Ana Lima Prado");
      await page.getByRole("button", { name: /^(Save|Salvar)$/ }).click();
    },
    shown: ".dialog input[type=password]",
  }),
  "app-home": inside("/app", { ...drawn("panel-9-inicio"), walked: true }),
  "app-home-test": inside("/app", {
    ...oneMore,
    ...drawn("panel-9c-inicio-teste"),
    act: (page) => page.getByRole("button", { name: /^(Test|Teste)$/ }).click(),
    shown: ".app.panel:has(.env) main h1",
  }),
  "app-account": inside("/app/account", drawn("panel-10-conta")),
  "app-members": inside("/app/members", { ...drawn("panel-11-membros"), shown: "table", walked: true }),
  "app-invite": inside("/app/members", {
    ...oneMore,
    ...drawn("panel-11b-convidar"),
    act: (page) => page.getByRole("button", { name: /^(Invite|Convidar)$/ }).click(),
    shown: ".dialog",
  }),
  "app-take-factor": inside("/app/members", {
    before: async (page, stage) => {
      await asOwner(page, stage);
      const davi = { name: "Davi Nunes", email: "davi@acme.example", role: "MEMBER", joinedAt: "2026-11-26T12:00:00Z" };
      const members = [{ ...davi, id: "00000000-0000-4000-8000-000000000001", secondFactor: "totp", lastUsedAt: null }];
      const signInRules = { demandsSecondFactor: true };
      await answerGraph(page, {
        Members: { json: { data: { members } } },
        FactorDemanded: { json: { data: { signInRules } } },
      });
    },
    act: (page) => page.getByRole("button", { name: /^(Take factor off|Retirar fator) Davi/ }).click(),
    shown: ".dialog li:nth-child(5)",
  }),
  "app-role": inside("/app/members", {
    ...oneMore,
    ...drawn("panel-11c-papel"),
    act: (page) => page.getByRole("button", { name: /^(Change role|Mudar papel) Davi/ }).click(),
    shown: ".dialog",
  }),
  "app-last-owner": inside("/app/members", {
    act: async (page) => {
      const error = { message: "said", extensions: { code: "last_owner", requestId: "req_1" } };
      await answerGraph(page, { ChangeRole: { status: 409, json: { errors: [error] } } });
      await page.getByRole("button", { name: /^(Change role|Mudar papel) Davi/ }).click();
      await page.getByRole("dialog").getByRole("radio").last().check();
      await page.getByRole("dialog").locator("button.main").click();
    },
    shown: ".dialog .notice",
  }),
  "app-remove": inside("/app/members", {
    ...oneMore,
    ...drawn("panel-11d-remover"),
    act: (page) => page.getByRole("button", { name: /^(Remove|Remover) Davi/ }).click(),
    shown: ".dialog",
  }),
  "app-password": inside("/app/account", {
    ...oneMore,
    ...drawn("panel-10e-senha"),
    act: (page) => page.getByRole("button", { name: /^(Change password|Trocar a senha)$/ }).click(),
    shown: ".dialog",
  }),
  "app-factor": inside("/app/account", {
    ...drawn("panel-10b-segundo-fator"),
    act: (page) => page.getByRole("button", { name: /^(Turn on the second factor|Ligar o segundo fator)$/ }).click(),
    shown: ".dialog .qr",
  }),
  "app-factor-on": inside("/app/account", { before: withFactors, shown: ".grow:has-text('Celular da Ana')" }),
  "app-factor-off": inside("/app/account", {
    ...oneMore,
    before: withFactors,
    act: (page) => page.getByRole("button", { name: /^(Turn off|Desligar)$/ }).click(),
    shown: ".dialog",
  }),
  "app-passkey-remove": inside("/app/account", {
    ...oneMore,
    before: withFactors,
    act: (page) => page.getByRole("button", { name: /^(Remove|Remover): Celular da Ana$/ }).click(),
    shown: ".dialog",
  }),
  "app-leave": inside("/app/account", {
    ...oneMore,
    act: (page) =>
      page
        .getByRole("button", { name: /^(Leave|Sair da organização)/ })
        .first()
        .click(),
    shown: ".dialog",
  }),
  "app-recovery-codes": inside("/app/account", {
    ...drawn("panel-10c-recuperacao"),
    act: async (page) => {
      const recoveryCodes = Array.from({ length: 10 }, (_, place) => `K7QF-2MXR-9TD${"ABCDEFGHJK"[place]}`);
      await answerGraph(page, { ConfirmTotp: { json: { data: { confirmTotp: { recoveryCodes } } } } });
      await page.getByRole("button", { name: /^(Turn on the second factor|Ligar o segundo fator)$/ }).click();
      await page.getByRole("dialog").locator("[autocomplete=current-password]").fill(PASSWORD);
      await page.getByRole("dialog").locator(".code-input").fill("123456");
      await page.getByRole("dialog").locator("button[type=submit]").click();
    },
    shown: ".codes",
  }),
  "app-tokens": inside("/app/tokens", { ...drawn("panel-8-tokens"), shown: "table", walked: true }),
  "app-token-new": inside("/app/tokens", {
    ...drawn("panel-8-tokens"),
    act: (page) => page.getByRole("button", { name: /^(Create a token|Criar token)$/ }).click(),
    shown: ".dialog",
  }),
  "app-token-made": inside("/app/tokens", {
    ...drawn("panel-8b-segredo"),
    act: async (page) => {
      await page.getByRole("button", { name: /^(Create a token|Criar token)$/ }).click();
      await page
        .getByRole("dialog")
        .getByLabel(/^(Name|Nome)$/)
        .fill("ERP");
      await page.getByRole("checkbox", { name: /proofs:read/ }).check();
      await page.getByRole("dialog").locator("button[type=submit]").click();
    },
    shown: ".dialog pre",
  }),
  "app-token-revoke": inside("/app/tokens", {
    ...oneMore,
    act: (page) =>
      page
        .getByRole("button", { name: /^(Revoke|Revogar)/ })
        .first()
        .click(),
    shown: ".dialog",
  }),
  "app-dns-keys": inside("/app/dns-keys", { shown: ".card" }),
  "app-dns-key-new": inside("/app/dns-keys", {
    ...oneMore,
    act: async (page) => {
      await page.getByRole("button", { name: /^(Create a key|Criar chave)$/ }).click();
      await page.getByRole("dialog").getByRole("radio").last().check();
    },
    shown: ".dialog [name=zone]",
  }),
  "app-organization": inside("/app/organization", { ...drawn("panel-12-organizacao"), shown: "form", walked: true }),
  "app-nowhere": inside("/app/nowhere/at/all", oneMore),
};
