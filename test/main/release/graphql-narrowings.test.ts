// What schema/schema.graphql loses by a change. The package graphql finds it; which of its findings count is decided here.
import fs from "node:fs";
import { expect, test } from "vitest";
import { graphqlNarrowings } from "../../../src/main/release/graphql-narrowings.ts";

const SCHEMA = `
  type Query { proofs(first: Int = 50, order: Order = NEWEST, filter: Filter): [Proof!]! whose: Owner }
  type Proof { id: ID! label: String kind: Kind! }
  type Person { name: String! }
  type Firm { name: String! }
  union Owner = Person
  enum Kind { FILE DIGEST }
  enum Order { NEWEST }
  input Filter { label: String = "a" }
`;
const changed = (text: string, other: string) => {
  expect(SCHEMA).toContain(text);
  return graphqlNarrowings(SCHEMA, SCHEMA.replace(text, other));
};

test.each([
  ["a field less", "label: String kind", "kind", "`Proof.label` was removed."],
  ["a type less", "type Firm { name: String! }", "", "`Firm` was removed."],
  ["a field that may be null", "id: ID!", "id: ID", "`Proof.id` changed type from ID! to ID."],
  ["a field of another type", "id: ID!", "id: Int!", "`Proof.id` changed type from ID! to Int!."],
  ["an argument less", ", filter: Filter", "", "`Query.proofs` arg filter was removed."],
  [
    "an argument that is required now",
    "filter: Filter",
    "filter: Filter!",
    "`Query.proofs` arg filter has changed type from Filter to Filter!.",
  ],
  [
    "a required argument more",
    "filter: Filter",
    "filter: Filter, year: Int!",
    "A required arg year on Query.proofs was added.",
  ],
  [
    "another default of an argument",
    "first: Int = 50",
    "first: Int = 20",
    "`Query.proofs` arg first has changed defaultValue from 50 to 20.",
  ],
  [
    "a default of an argument less",
    "first: Int = 50",
    "first: Int",
    "`Query.proofs` arg first defaultValue was removed.",
  ],
  [
    "a required member of an input more",
    'label: String = "a"',
    'label: String = "a" year: Int!',
    "A required field year on input type Filter was added.",
  ],
  ["a member of an input less", 'label: String = "a"', "year: Int", "`Filter.label` was removed."],
  ["another default of a member", '= "a"', '= "b"', "`Filter.label` has `default` `b` in place of `a`."],
  ["a default of a member less", ' = "a"', "", "`Filter.label` has `default` none in place of `a`."],
  ["a value less", "FILE DIGEST", "FILE", "`DIGEST` was removed from enum type Kind."],
  ["a value that may be answered", "FILE DIGEST", "FILE DIGEST TEXT", "`TEXT` was added to enum type Kind."],
  ["a type that may be answered", "= Person", "= Person | Firm", "`Firm` was added to union type Owner."],
])("%s is named", (_, text, other, sentence) => {
  expect(changed(text, other)).toEqual([`GraphQL: ${sentence}`]);
});

test.each([
  ["a field more", "id: ID!", "id: ID! year: Int!"],
  ["an optional argument more", "filter: Filter", "filter: Filter, year: Int"],
  ["an optional member of an input more", 'label: String = "a"', 'label: String = "a" year: Int'],
  ["an order more", "{ NEWEST }", "{ NEWEST OLDEST }"],
  ["a field that is null no more", "label: String kind", "label: String! kind"],
  ["a type more", "type Firm", "type Village { name: String! } type Firm"],
  ["other words", "type Firm", '"""Other words.""" type Firm'],
])("%s is no narrowing", (_, text, other) => {
  expect(changed(text, other)).toEqual([]);
});

test("schema/schema.graphql is read: a field less is named, other words are not", () => {
  const text = fs.readFileSync(new URL("../../../schema/schema.graphql", import.meta.url), "utf8");
  const other = text.replace(/(?<=\ntype Proof implements Node \{\n.*?)"""[^"]*"""\n {2}language: String!/s, "");
  expect(other).not.toBe(text);
  expect(graphqlNarrowings(text, other)).toEqual(["GraphQL: `Proof.language` was removed."]);
  expect(graphqlNarrowings(text, text.replaceAll(/""".*?"""/gs, '"""Other words."""'))).toEqual([]);
});
