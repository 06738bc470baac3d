// What the page /status says of nameservers, by what /readyz says of each.
import { expect, test } from "vitest";
import { statusFacts } from "../../../src/surfaces/web/status-page.ts";

const shown = (nameservers?: readonly string[]) => {
  const parts = nameservers === undefined ? {} : { nameservers };
  const facts = statusFacts({ isReady: true, checks: {}, parts, checkedAt: new Date() }, "en");
  return Object.keys(facts).filter((name) => name.includes("nameservers") && facts[name] !== null);
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
