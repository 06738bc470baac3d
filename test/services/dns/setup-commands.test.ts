// `selo zone setup|check`: issue "DNS hosting II" §7.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runSelo } from "./command-line.ts";
import { DelegationStage, FOREIGN } from "./delegation-stage.ts";
import type { Customer } from "./dns-stage.ts";
import { enable } from "./dnssec-stage.ts";

let stage: DelegationStage;
let customer: Customer;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-setup-"));
beforeAll(async () => {
  stage = await DelegationStage.open();
  customer = await stage.dns.customer({ language: "pt-BR" });
});
afterAll(async () => {
  await stage?.close();
  fs.rmSync(folder, { recursive: true });
});

const run = (...words: readonly string[]) =>
  runSelo(["zone", ...words], {
    PUBLIC_URL: stage.dns.selo.baseUrl,
    SELO_DATA_DIR: folder,
    SELO_DNS_KEY: customer.token,
  });

describe("selo zone setup", () => {
  test("prints nameservers and steps in the language of the organization", async () => {
    const zone = await customer.zone();
    stage.world.delegate(zone.name, FOREIGN);
    const [one, other] = zone.body.nameservers ?? [];
    const { code, stdout } = await run("setup", zone.name);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        `Zona                      ${zone.name}`,
        "Situação                  pendente: o domínio ainda não aponta para cá",
        `Servidores deste serviço  ${one}, ${other}`,
        `Servidores hoje           ${FOREIGN.join(", ")}`,
        `Na zona pai               ${FOREIGN.join(", ")}`,
        "Última verificação        ainda não houve",
        "",
        "[ ] 1. Traga os seus registros",
        "    Cadastre os registros que o domínio tem hoje: faça uma busca rápida pelos",
        "    nomes mais comuns, importe o arquivo de zona do provedor atual ou crie um",
        "    por um. A busca rápida nunca encontra tudo, então confira com os registros",
        "    do provedor. Assim, nada sai do ar na troca.",
        "",
        "[ ] 2. Troque os servidores DNS",
        "    Onde o domínio foi registrado (no Registro.br, por exemplo), troque todos os",
        `    servidores DNS por estes dois: ${one} e ${other}. Não deixe`,
        "    nenhum dos antigos. Hoje o domínio aponta para: ns1.other.test,",
        "    ns2.other.test.",
        "",
        "[ ] 3. Espere a mudança aparecer",
        "    Quase sempre a mudança aparece em minutos, mas pode levar até dois dias.",
        "    Conferimos a cada cinco minutos; se quiser, peça uma verificação na hora.",
        "",
      ].join("\n"),
    );
  });

  test("prints English on demand, and says who did not answer", async () => {
    const zone = await customer.zone();
    for (const known of [stage.world.resolved, stage.world.referrals]) known.set(zone.name, "fails");
    const { stdout } = await run("setup", zone.name, "--language", "en");
    expect(stdout).toMatch(/^Status {2,}pending: the domain does not point here yet$/m);
    expect(stdout).toMatch(/^Nameservers now {2,}nobody answered$/m);
    expect(stdout).toContain("[ ] 2. Change the nameservers\n");
  });

  test("prints JSON", async () => {
    const zone = await customer.zone();
    const { stdout } = await run("setup", zone.name, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ zone: zone.body, setup: (await zone.ask("GET", "/setup")).body });
  });

  test("shows the chain of a signed zone, the DS records to publish in their own lines, and where to go on", async () => {
    const zone = await customer.zone();
    const { keys } = await enable(zone);
    await stage.active(zone);
    const { stdout } = await run("setup", zone.name, "--language", "en");
    expect(stdout).toMatch(/^Chain {2,}no DS: /m);
    expect(stdout).toContain(`\nDS records to publish; one of them is enough:\n${keys[0]?.ds_records.join("\n")}\n\n`);
    expect(stdout).toMatch(/^\[ \] 4\. Publish the DS record$/m);
    expect(stdout).toContain(`\n\`selo zone dnssec ${zone.name}\` shows its keys, and the steps of DNSSEC.\n`);
  });

  test.each([
    ["en", "Status moved: the domain has pointed elsewhere for 30 days or more"],
    ["pt-BR", "Situação mudou: o domínio aponta para outro lugar há 30 dias ou mais"],
  ])("says what moved means, also long after the thirty days: %s", async (language, line) => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, FOREIGN);
    await stage.check(zone);
    await stage.ageLoss(zone, "200 days");
    expect(await stage.status(zone)).toBe("moved");
    expect((await run("setup", zone.name, "--language", language)).stdout.replaceAll(/\s+/g, " ")).toContain(line);
  });

  test("refuses another language, and a zone that there is not", async () => {
    const zone = await customer.zone();
    expect(await run("setup", zone.name, "--language", "fr")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must be en or pt-BR"),
    });
    expect(await run("setup", "nobody.test")).toMatchObject({ code: 1, stderr: expect.stringContaining("not_found") });
  });
});

test("selo zone check checks now, and prints what it found", async () => {
  const zone = await customer.zone();
  stage.world.delegate(zone.name, zone.body.nameservers);
  const { stdout } = await run("check", zone.name, "--language", "pt-BR");
  expect(stdout).toContain("Situação                  ativa: o domínio aponta para cá\n");
  expect(stdout).toMatch(/^Última verificação {8}\d{4}-.*Z$/m);
  expect(stdout).toContain("[x] 3. Espere a mudança aparecer\n");
  expect((await zone.ask("GET")).body.status).toBe("active");
});
