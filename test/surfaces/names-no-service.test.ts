// Surfaces are handed the services: no file of src/surfaces holds the name of a service. Comments may name one as an example.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { services } from "../../src/services/services.ts";

const SURFACES = path.join(import.meta.dirname, "../../src/surfaces");
/** All surfaces stand on the platform's tables, keys and tokens. */
const names = services.map(({ name }) => name).filter((name) => name !== "platform");

/** What stays, by file. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // `webhooks` is a member of OpenAPI 3.1.
  "openapi/api-description.ts": ["webhooks"],
  "openapi/document.ts": ["webhooks"],
  "openapi/served/described-api.ts": ["webhooks"],
  "openapi/served/reference.ts": ["webhooks"],
  // The build makes one file of the offline verifier.
  "web/build.ts": ["signature"],
};

const withoutComments = (text: string) => text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/(?<=^|\s)\/\/.*$/gm, "");

test("no file of src/surfaces names a service, but those that have to", () => {
  const files = fs.readdirSync(SURFACES, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const found = files.flatMap((file) => {
    const text = withoutComments(fs.readFileSync(path.join(SURFACES, file), "utf8"));
    const named = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return named.length === 0 ? [] : [[file.split(path.sep).join("/"), named] as const];
  });
  expect(Object.fromEntries(found)).toEqual(KNOWN);
});
