import { describe, expect, test } from "vitest";
import { unsoundOptions, unsoundSources } from "../../../src/adapters/nameserver/apt-sources.ts";

const saysOf = (file: string, text: string) => unsoundSources(file, text).map(({ says }) => says);

describe("sources in the one-line form", () => {
  test.each([
    ["deb [trusted=yes] http://deb.example bookworm main", ["trusted=yes"]],
    ["deb [ arch=amd64 trusted=YES ] http://deb.example bookworm main", ["trusted=YES"]],
    ["deb [arch=amd64,arm64 trusted=1 signed-by=/k.gpg] http://deb.example bookworm main", ["trusted=1"]],
    ["\tdeb-src [Trusted=true] http://deb.example bookworm main", ["Trusted=true"]],
    ["deb [allow-insecure=yes] http://deb.example bookworm main", ["allow-insecure=yes"]],
    ["deb [allow-weak=yes] http://deb.example bookworm main", ["allow-weak=yes"]],
    ["deb [allow-downgrade-to-insecure=yes] http://deb.example bookworm main", ["allow-downgrade-to-insecure=yes"]],
    ["deb http://a.example b c\ndeb [trusted=yes] http://deb.example bookworm main", ["trusted=yes"]],
  ])("%s", (line, says) => {
    expect(saysOf("/etc/apt/sources.list", line)).toEqual(says);
  });

  test.each([
    "deb http://deb.example bookworm main",
    "deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://deb.example bookworm main",
    "deb [trusted=no] http://deb.example bookworm main",
    "# deb [trusted=yes] http://deb.example bookworm main",
    "deb http://deb.example/trusted=yes bookworm main # trusted=yes",
  ])("nothing in: %s", (line) => {
    expect(saysOf("/etc/apt/sources.list.d/a.list", line)).toEqual([]);
  });
});

describe("sources in deb822", () => {
  const stanza = (...more: string[]) =>
    ["Types: deb", "URIs: http://deb.example", "Suites: bookworm", "Components: main", ...more].join("\n");

  test.each([
    [stanza("Trusted: yes"), ["Trusted=yes"]],
    [stanza("trusted:YES"), ["trusted=YES"]],
    [stanza("Allow-Insecure: true", "Signed-By: /k.gpg"), ["Allow-Insecure=true"]],
    [stanza("Trusted:", " yes"), ["Trusted=yes"]],
    [`${stanza()}\n\n${stanza("Trusted: yes")}`, ["Trusted=yes"]],
    [`${stanza("Enabled: no")}\n \n${stanza("Trusted: yes")}`, ["Trusted=yes"]],
    [stanza("Enabled: yes", "Trusted: yes"), ["Trusted=yes"]],
    [stanza("Trusted: yes").replaceAll("\n", "\r\n"), ["Trusted=yes"]],
  ])("%j", (text, says) => {
    expect(saysOf("/etc/apt/sources.list.d/a.sources", text)).toEqual(says);
  });

  test.each([
    stanza("Signed-By: /usr/share/keyrings/a.gpg"),
    stanza("Trusted: no"),
    stanza("# Trusted: yes"),
    stanza("Enabled: no", "Trusted: yes"),
  ])("nothing in: %j", (text) => {
    expect(saysOf("/etc/apt/sources.list.d/a.sources", text)).toEqual([]);
  });
});

test("options of apt that turn signatures off are found in its dump", () => {
  const dump = [
    'APT::Get "";',
    'APT::Get::AllowUnauthenticated "true";',
    'apt::get::Force-Yes "1";',
    'Acquire::AllowInsecureRepositories "yes";',
    'Acquire::AllowWeakRepositories "0";',
    'Acquire::AllowDowngradeToInsecureRepositories "false";',
    'Dir::Etc::trusted "trusted.gpg";',
  ].join("\n");
  expect(unsoundOptions(dump)).toEqual([
    { file: "apt.conf", says: 'APT::Get::AllowUnauthenticated "true"' },
    { file: "apt.conf", says: 'apt::get::Force-Yes "1"' },
    { file: "apt.conf", says: 'Acquire::AllowInsecureRepositories "yes"' },
  ]);
});
