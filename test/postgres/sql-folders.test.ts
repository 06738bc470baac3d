// Where SQL stands, and what the platform knows of the services on top of it.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sqlReadme } from "../support/service-readme.ts";

const SQL = path.join(import.meta.dirname, "../../sql");

const PARTS = ["api", "analytics", "gateway", "jobs"];

const foldersIn = (place: string) =>
  fs
    .readdirSync(place, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();
const SERVICES = foldersIn(SQL).filter((name) => name !== "migrations");

/** Names of the SQL files below a folder of a service. */
function namesBelow(...folder: string[]): string[] {
  const place = path.join(SQL, ...folder);
  const files = fs.existsSync(place) ? fs.readdirSync(place, { recursive: true, encoding: "utf8" }) : [];
  return files.filter((file) => file.endsWith(".sql")).map((file) => path.basename(file, ".sql"));
}

test("a service keeps its functions in one folder, or in folders of several files that its README lists", () => {
  for (const name of SERVICES) {
    const place = path.join(SQL, name, "functions");
    const listed = [...sqlReadme({ name }, "Folders of functions").matchAll(/^\| `([\w-]+)\/` \| \S/gm)];
    const folders = foldersIn(place);
    expect({ name, listed: listed.map(([, folder]) => folder) }).toEqual({ name, listed: folders });
    for (const folder of folders) expect(namesBelow(name, "functions", folder).length, folder).toBeGreaterThan(1);
    const flat = fs.readdirSync(place).filter((file) => file.endsWith(".sql"));
    if (folders.length > 0) expect({ name, flat }).toEqual({ name, flat: [] });
  }
});

describe("the platform names no other service", () => {
  const others = SERVICES.filter((name) => name !== "platform");
  const ofPlatform = new Set(PARTS.flatMap((part) => namesBelow("platform", part)));
  // Each service may have a function of the platform's name: the states of its queues, the coverage of its tables.
  const made = others.flatMap((name) =>
    PARTS.flatMap((part) => namesBelow(name, part).flatMap((own) => (ofPlatform.has(own) ? [] : [`${part}\\.${own}`]))),
  );
  // A name alone may be a common word, such as the signature of a key.
  const named = new RegExp(
    `(?<![\\w.])(?:selo_(?:${others.join("|")})|(?:${others.join("|")})[.:/_]\\w+|${made.join("|")})(?!\\w)`,
  );

  test.each([
    "grant usage to selo_dns;",
    "signature.proofs",
    "webhooks:manage",
    "dns_zones",
    "See sql/dns/README.md",
    "as in api.proofs",
  ])("what would name one: %s", (text) => expect(text).toMatch(named));

  test("no file of its SQL does, in comments either", () => {
    const folder = path.join(SQL, "platform");
    const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sql"));
    expect(files.length).toBeGreaterThan(150);
    const naming = files.flatMap((file) => {
      const found = named.exec(fs.readFileSync(path.join(folder, file), "utf8"));
      return found ? [`${file}: ${found[0]}`] : [];
    });
    expect(naming).toEqual([]);
  });
});
