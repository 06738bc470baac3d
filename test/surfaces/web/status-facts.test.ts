// What the page /status says of nameservers and of services, by what /readyz says of each part.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { services } from "../../../src/services/services.ts";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { PAGES_FOLDER } from "../../../src/surfaces/web/built-files.ts";
import { type Readiness, statusFacts } from "../../../src/surfaces/web/status-page.ts";

const ofServices = await Promise.all(services.map(({ pages }) => pages?.()));
const needs = Object.assign({}, ...ofServices.map((pages) => pages?.needs));

const shown = (nameservers?: readonly string[]) => {
  const parts = nameservers === undefined ? {} : { nameservers };
  const facts = statusFacts({ isReady: true, checks: {}, parts, checkedAt: new Date() }, "en", needs);
  return Object.keys(facts).filter((name) => /^(has_)?nameservers/.test(name) && facts[name] !== null);
};

test.each([
  ["none is known", [], []],
  ["their states could not be read", undefined, []],
  ["all answer", ["ok", "ok"], ["has_nameservers", "nameservers_ok"]],
  ["one is late", ["ok", "late"], ["has_nameservers", "nameservers_some"]],
  ["one does not answer", ["unavailable", "ok"], ["has_nameservers", "nameservers_some"]],
  ["none answers", ["late", "unavailable"], ["has_nameservers", "nameservers_none"]],
])("%s", (_, states, facts) => {
  expect(shown(states)).toEqual(facts);
});

test.each(["en", "pt-BR"])("each line of a service has words in %s", (language) => {
  const page = fs.readFileSync(path.join(webAppFolder(), PAGES_FOLDER, `status.${language}.html`), "utf8");
  const lines = [...page.matchAll(/\{\{#service_(\w+)_ok\}\}/g)].map(([, name]) => name);
  expect(lines.sort()).toEqual(Object.keys(needs).sort());
});

describe("a service works as well as the worst of what it needs:", () => {
  const CHECKS = {
    database: "ok",
    migrations: "ok",
    public_url: "ok",
    keys: "ok",
    certificates: "ok",
    storage: "ok",
  } as const;
  const outcomes = (checks: Partial<Readiness["checks"]>, nameservers: readonly string[] = []) => {
    const readiness = {
      isReady: true,
      checks: { ...CHECKS, ...checks },
      parts: { nameservers },
      checkedAt: new Date(),
    };
    const facts = statusFacts(readiness as Readiness, "en", needs);
    const shown = Object.keys(facts).filter((name) => name.startsWith("service_") && facts[name] !== null);
    return shown.map((name) => name.replace("service_", "").split("_"));
  };
  const all = (outcome: string) =>
    (["proofs", "signatures", "dns", "webhooks"] as const).map((name) => [name, outcome]);
  const but = (changed: Readonly<Record<string, string>>) =>
    all("ok").map(([name = "", outcome]) => [name, changed[name] ?? outcome]);

  test.each([
    ["everything answers", {}, ["ok"], all("ok")],
    ["no nameserver is known", {}, [], all("ok")],
    ["a nameserver is late", {}, ["ok", "late"], but({ dns: "part" })],
    ["no nameserver answers", {}, ["late"], but({ dns: "failed" })],
    ["the storage is full", { storage: "full" }, ["ok"], but({ signatures: "part" })],
    ["the certificates fail", { certificates: "failed" }, ["ok"], but({ signatures: "failed" })],
    ["the keys cannot be tested", { keys: "unknown" }, [], but({ proofs: "unknown", signatures: "unknown" })],
    ["the database is away", { database: "failed", keys: "unknown", migrations: "unknown" }, [], all("failed")],
  ] as const)("%s", (_, checks, nameservers, expected) => {
    expect(outcomes(checks, nameservers)).toEqual(expected);
  });
});
