// What a quick scan makes of a wildcard that answers the same each time: issue "DNS hosting II" §4.
import { expect, test } from "vitest";
import { SCAN_NAMES } from "../../../../src/services/dns/quick-scan/scan-names.ts";
import { SERVFAIL } from "../../../support/dns-world.ts";
import { codes, setUpScans, stage, text } from "./scan-stage.ts";

setUpScans();

test("what a wildcard answers is one record, and is left out elsewhere", async () => {
  stage.has("*", "A", "192.0.2.66");
  stage.has("*", "TXT", text("any"));
  stage.has("@", "A", "192.0.2.66");
  stage.has("www", "A", "192.0.2.1");
  stage.has("api", "A", "192.0.2.66");
  stage.has("api", "TXT", text("any"));
  const body = await stage.scanned();
  expect(codes(body)).toEqual(["scan_incomplete", "scan_wildcard"]);
  expect(await stage.found()).toEqual([
    "*.Z 300 A 192.0.2.66",
    "*.Z 300 TXT any",
    "www.Z 300 A 192.0.2.1",
    "Z 300 A 192.0.2.66",
  ]);
});

test("a wildcard of CNAME, and one below a name", async () => {
  stage.has("*", "CNAME", "all.example.net");
  stage.has("*._domainkey", "TXT", text("v=DKIM1; p="));
  stage.has("google._domainkey", "TXT", text("v=DKIM1; p=abc"));
  await stage.scanned();
  expect(await stage.found()).toEqual([
    "*._domainkey.Z 300 TXT v=DKIM1; p=",
    "*.Z 300 CNAME all.example.net",
    "google._domainkey.Z 300 TXT v=DKIM1; p=abc",
  ]);
});

test("a name that differs in one type has all its records itself, those that equal the wildcard's too (RFC 4592 §2.2.1)", async () => {
  stage.has("*", "A", "192.0.2.66");
  stage.has("*", "TXT", text("any"));
  // Another TXT; no TXT; a type more.
  stage.has("api", "A", "192.0.2.66");
  stage.has("api", "TXT", text("own"));
  stage.has("app", "A", "192.0.2.66");
  stage.has("mail", "A", "192.0.2.66");
  stage.has("mail", "TXT", text("any"));
  stage.has("mail", "MX", { preference: 5, exchange: "mx.example.net" });
  await stage.scanned();
  expect(await stage.found()).toEqual([
    "*.Z 300 A 192.0.2.66",
    "*.Z 300 TXT any",
    "api.Z 300 A 192.0.2.66",
    "api.Z 300 TXT own",
    "app.Z 300 A 192.0.2.66",
    "mail.Z 300 A 192.0.2.66",
    "mail.Z 300 MX 5 mx.example.net",
    "mail.Z 300 TXT any",
  ]);
});

test("a name above records is taken, though it answers as the wildcard does: here it exists, and no wildcard answers for it", async () => {
  stage.has("*", "A", "192.0.2.66");
  stage.has("_acme-challenge.www", "TXT", text("proof"));
  // A provider that does not follow RFC 4592.
  stage.answers(({ name, type }) =>
    stage.relative(name) === "www" && type === "A"
      ? { aa: true, answers: [{ name, type, data: "192.0.2.66", ttl: 300 }] }
      : stage.provider(name, type),
  );
  await stage.scanned();
  expect(await stage.found()).toEqual([
    "*.Z 300 A 192.0.2.66",
    "_acme-challenge.www.Z 300 TXT proof",
    "www.Z 300 A 192.0.2.66",
  ]);
});

test("records in another order, and TTLs that a cache counts down, are the same answer: one set with the highest TTL", async () => {
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) stage.has("*", "A", address);
  let asked = 0;
  let highest = 0;
  stage.answers(({ name, type }) => {
    const says = stage.provider(name, type);
    if (type !== "A" || stage.ownerOf(name) !== stage.whole("*")) return says;
    asked += 1;
    // The highest is neither the first nor the last.
    const ttl = [120, 150, 190][asked % 3] ?? 0;
    const relative = stage.relative(name);
    if (!relative.includes(".") && !SCAN_NAMES.includes(relative)) highest = Math.max(highest, ttl);
    const turned = [0, 1, 2].map((place) => `192.0.2.${1 + ((place + asked) % 3)}`);
    return { aa: true, answers: turned.map((data) => ({ name, type, data, ttl })) };
  });
  const body = await stage.scanned();
  expect(codes(body)).toEqual(["scan_incomplete", "scan_wildcard"]);
  expect((await stage.found()).toSorted()).toEqual(
    ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => `*.Z ${highest} A ${address}`),
  );
});

test("random names of which some are not answered are enough; a type of which none is answered is in a warning", async () => {
  stage.has("*", "A", "192.0.2.66");
  let failed = 0;
  stage.answers(({ name, type }) => {
    const isRandom = stage.ownerOf(name) === stage.whole("*");
    if (isRandom && type === "CAA") return { rcode: SERVFAIL };
    if (isRandom && type === "A" && failed++ < 2) return { rcode: SERVFAIL };
    return stage.provider(name, type);
  });
  const { warnings } = await stage.scanned();
  expect(await stage.found()).toEqual(["*.Z 300 A 192.0.2.66"]);
  const { message } = warnings.find(({ code }: { code: string }) => code === "scan_unanswered");
  expect(message).toContain(`such as *.${stage.zone.name} CAA, `);
  expect(message).not.toMatch(/ A[,.]/);
});
