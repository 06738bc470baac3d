// A field that shows a row with members beside it takes both from what the operation answers.
import { expect, test } from "vitest";
import { z } from "zod";
import { payloadOf, shownAs } from "../../../src/surfaces/graphql/payload-types.ts";
import { membersOf } from "../../../src/surfaces/openapi/schema.ts";
import type { Answers, Payload } from "../../../src/surfaces/operation.ts";

const beside = z.object({ secret: z.string().optional().meta({ description: "Shown once." }) });
const answers: Answers = { schema: "WebhookWithSecret", row: "webhook_endpoints", with: beside };
const newPayload = (): Payload => ({
  name: "ThePayload",
  description: "A webhook with its secret.",
  row: { name: "webhook", description: "The webhook." },
});
const of = (given: Answers | undefined, payload = newPayload()) =>
  payloadOf({
    name: "one",
    graphql: { description: "…", payload },
    ...(given === undefined ? {} : { answers: given }),
  });

test("its members are the row under its name, and those beside it", () => {
  const shown = of(answers);
  const members = membersOf("members" in shown ? shown.members : z.object({}));
  expect(members).toMatchObject([
    { name: "webhook", schema: { view: "webhook_endpoints", description: "The webhook." } },
    { name: "secret", required: false, schema: { type: "string", description: "Shown once." } },
  ]);
  const row = { id: 1, url: "u" };
  expect(shownAs(shown, { ...row, secret: "s" })).toEqual({ webhook: { ...row, secret: "s" }, secret: "s" });
  expect(shownAs(shown, row)).toEqual({ webhook: row, secret: null });
});

test("without members beside the row there is the row alone", () => {
  const shown = of({ schema: "Webhook", row: "webhook_endpoints" });
  expect("members" in shown && Object.keys(shown.members.shape)).toEqual(["webhook"]);
});

test("operations that answer the same share it", () => {
  const payload = newPayload();
  expect(of(answers, payload)).toBe(of({ ...answers }, payload));
});

test("one that answers something else is refused", () => {
  const payload = newPayload();
  of(answers, payload);
  for (const other of [
    { schema: "Webhook", row: "webhook_endpoints" },
    { schema: "Proof", row: "proofs", with: beside },
  ])
    expect(() => of(other, payload)).toThrow(
      "operation one: another operation with the same payload has another answer",
    );
});

test.each<[string, Answers | undefined]>([
  ["nothing", { nothing: "Removed." }],
  ["a schema without a row", { schema: "Webhook" }],
  ["what nobody says", undefined],
])("of an operation that answers %s it is refused", (_, given) => {
  expect(() => of(given)).toThrow("operation one: its payload is of a row, but it answers no row");
});
