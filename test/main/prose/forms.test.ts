import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../../src/adapters/programs/package-root.ts";
import { FORMS, formsIn } from "../../../src/main/prose/forms.ts";
import { proseFaults, proseOf } from "../../../src/main/prose/prose-faults.ts";

describe("the forms of sentences to avoid", () => {
  const contributing = fs.readFileSync(path.join(packageRoot(), "CONTRIBUTING.md"), "utf8");
  test.each(FORMS)(
    "$avoid: is found, its better form is not, and CONTRIBUTING.md lists both",
    ({ pattern, avoid, write }) => {
      expect(avoid).toMatch(new RegExp(pattern.source, "m"));
      expect(formsIn(write)).toEqual([]);
      expect(contributing).toContain(`| ${avoid} | ${write} |`);
    },
  );
});

describe("npm run check:prose", () => {
  const root = fs.mkdtempSync(path.join(process.env.TMPDIR ?? "/tmp", "selo-prose-"));
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  };
  const good = { description: "The zone is no longer signed." };
  write("schema/openapi.json", JSON.stringify({ info: good, paths: [{ example: { description: "in place of" } }] }));
  write("schema/schema.graphql", '"""A zone."""\ntype Zone {\n  id: ID! # in place of\n}\n');

  test.each([
    ["README.md", "# Selo\n\nIt answers 404.\n", 'README.md:3: "answers 404"'],
    ["sql/dns/README.md", "They are\nno rows, and are no rows.\n", 'sql/dns/README.md:2: "are no rows"'],
    ["src/services/dns/commands/a.ts", 'print("a file to hand on");\n', 'src/services/dns/commands/a.ts:1: "hand on"'],
    ["schema/openapi-dns.json", '{"a": [{"summary": "Rejects never"}]}', 'schema/openapi-dns.json: "Rejects never"'],
    ["schema/schema.graphql", '"""Signed in place of\n you"""\ntype A', 'schema/schema.graphql: "in place of"'],
  ])("finds a form in %s", (file, text, fault) => {
    const before = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file)) : null;
    write(file, text);
    const faults = proseFaults(root);
    if (before === null) fs.rmSync(path.join(root, file));
    else fs.writeFileSync(path.join(root, file), before);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  test("finds nothing in examples, in code and in the list of forms", () => {
    expect(proseFaults(root)).toEqual([]);
    const page =
      "# A\n`in place of` and ``in place ` of``\n\n```sh\necho in place of\n```\n\n## Forms to avoid\n\nin place of\n\n## After\n\nshall be\n";
    expect(formsIn(proseOf(page)).map(({ found }) => found)).toEqual(["shall be"]);
    expect(proseOf(page).split("\n")).toHaveLength(page.split("\n").length);
  });
});
