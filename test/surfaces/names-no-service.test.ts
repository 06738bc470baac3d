// Surfaces, entry points and the runner of jobs receive the services: none of their files holds the name of a service. Comments may name one as an example.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { services } from "../../src/services/services.ts";

const ROOT = path.join(import.meta.dirname, "../..");
/** All of these stand on the platform's tables, keys and tokens. */
const names = services.map(({ name }) => name).filter((name) => name !== "platform");

/** What stays, by file. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // `webhooks` is a member of OpenAPI 3.1.
  "src/surfaces/openapi/api-description.ts": ["webhooks"],
  "src/surfaces/openapi/document.ts": ["webhooks"],
  "src/surfaces/openapi/served/described-api.ts": ["webhooks"],
  "src/surfaces/openapi/served/reference.ts": ["webhooks"],
  "src/main/release/openapi-narrowings.ts": ["webhooks"],
  // The build makes one file of the offline verifier.
  "src/surfaces/web/build.ts": ["signature"],
  // A kind of credits.
  "src/main/generate-openapi.ts": ["signature"],
  // All outgoing requests share the resolvers; their setting says what for.
  "src/main/own-settings.ts": ["webhooks"],
};

const withoutComments = (text: string) => text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/(?<=^|\s)\/\/.*$/gm, "");

/** The files of a folder, from the root. */
function filesOf(folder: string, recursive: boolean): string[] {
  const files = fs.readdirSync(path.join(ROOT, folder), { recursive, encoding: "utf8" });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => path.posix.join(folder, ...file.split(path.sep)));
}

test("no file of surfaces, entry points and the runner names a service, but those that have to", () => {
  // The folders in workers/ belong to services.
  const files = [...filesOf("src/surfaces", true), ...filesOf("src/main", true), ...filesOf("workers", false)];
  const found = files.flatMap((file) => {
    const text = withoutComments(fs.readFileSync(path.join(ROOT, file), "utf8"));
    const named = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return named.length === 0 ? [] : [[file, named] as const];
  });
  expect(Object.fromEntries(found)).toEqual(KNOWN);
});
