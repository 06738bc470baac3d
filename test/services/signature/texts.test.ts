// Texts that others read: no control characters, nothing that turns the direction of writing, and something that can be seen.
import { describe, expect, test } from "vitest";
import { faultOf } from "../../../src/web/sign/reader/fields.ts";
import { graphql } from "../../support/graphql-client.ts";
import { byLane } from "../../support/lane.ts";
import { expectError, type RestResponse } from "../../support/rest-client.ts";
import { complete, decline, sentWith } from "./completion-stage.ts";
import { anEnvelope, aParticipant, ask, read } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";

setUpStage();

/** Each character that turns the direction of writing. */
const TURNING = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const turning = TURNING.map((code) => `a${String.fromCodePoint(code)}b`);
const UNSEEN = ["   ", "\u200b", "\u200d\u2060\ufeff", "\u00a0\u3000", "\u3164"];
/** Characters that nobody sees, where neither a script nor an emoji needs them. */
const HIDDEN = [..."\u00ad\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff"].flatMap((character) => [
  `Maria${character} Silva`,
  `Mar${character}ia`,
  `Maria${character}`,
  `${character}Maria`,
]);
const MISPLACED = ["Maria\u{e0100}", "Maria\u{e0041}", "Ana\u{e0001}", "😀\u200dMaria", "ก\u200bMaria", "Maria\u200dक"];
const RIGHT = [
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "José da Silva",
  "李明",
  "مريم",
  "O’Neil 👩‍👩‍👧",
  "a b",
  "می\u200cخواهم",
  "क्\u200dष",
  "ไทย\u200bไทย",
  "🏳️‍🌈 ❤️‍🔥",
  "𠮷野家 葛\u{e0100}飾",
  "𨋢 𬀩 क्षत्रिय 𝓜𝓪𝓻𝓲𝓪",
];
/** Characters that no font has, or that no standard gives a meaning: of an old script, of private use, unassigned, and none at all. */
const UNDRAWABLE = [
  ["Ramses 𓂀", "U+13080 (𓂀)"],
  ["Maria\ue000 \u{10fffd}", "U+E000 (\ue000)"],
  ["\u0378", "U+0378 (\u0378)"],
  ["a\u{1fffe}", "U+1FFFE (\u{1fffe})"],
  ["\u{10fffd}", "U+10FFFD (\u{10fffd})"],
] as const;

interface Place {
  readonly field: string;
  /** Asks with a text in this place. */
  readonly give: (text: string) => Promise<RestResponse>;
  /** Whether the text may have several lines. */
  readonly isMultiline?: true;
}

const participant = (name: string) => ({ name, email: "maria@example.com" });
const placed = async (field: string, text: string, member: object) => {
  const { id, links, fields } = await sentWith(stage, [{ fields: [{ type: "assinatura" }, { type: field }] }], {
    field_placement: "fields",
  });
  return {
    id,
    ofText: `values.${fields[0]?.[1]}`,
    answer: await complete(stage, links[0], { values: { [fields[0]?.[1] ?? ""]: text }, ...member }),
  };
};

/** Things that what is refused leaves as they were: each is used again until something was done with it. */
function untilDone<Thing>(make: () => Promise<Thing>) {
  let made: Promise<Thing> | null = null;
  return async (give: (thing: Thing) => Promise<RestResponse>): Promise<RestResponse> => {
    made ??= make();
    const answer = await give(await made);
    if (answer.status < 300) made = null;
    return answer;
  };
}
const withDraft = untilDone<{ id: string }>(() => anEnvelope(stage));
const withSent = untilDone(() => sentWith(stage));
const withParticipant = untilDone(async () => {
  const { id } = await anEnvelope(stage);
  return { id, participantId: (await aParticipant(stage, id)).id as string };
});

const PLACES: Readonly<Record<string, Place>> = {
  "the title of a new envelope": { field: "title", give: (title) => ask(stage, "POST", "/envelopes", { title }) },
  "the title of a draft": {
    field: "title",
    give: (title) => withDraft(({ id }) => ask(stage, "PATCH", `/envelopes/${id}`, { title })),
  },
  "the message of a new envelope": {
    field: "message",
    give: (message) => ask(stage, "POST", "/envelopes", { title: "a", message }),
    isMultiline: true,
  },
  "the message of a draft": {
    field: "message",
    give: (message) => withDraft(({ id }) => ask(stage, "PATCH", `/envelopes/${id}`, { message })),
    isMultiline: true,
  },
  "the external_id of a new envelope": {
    field: "external_id",
    give: (external_id) => ask(stage, "POST", "/envelopes", { title: "a", external_id }),
  },
  "the external_id of a draft": {
    field: "external_id",
    give: (external_id) => withDraft(({ id }) => ask(stage, "PATCH", `/envelopes/${id}`, { external_id })),
  },
  "the name of a new participant": {
    field: "name",
    give: (name) => withDraft(({ id }) => ask(stage, "POST", `/envelopes/${id}/participants`, participant(name))),
  },
  "the name of a participant of a draft": {
    field: "name",
    give: (name) =>
      withParticipant(({ id, participantId }) =>
        ask(stage, "PATCH", `/envelopes/${id}/participants/${participantId}`, { name }),
      ),
  },
  "the reason of a cancellation": {
    field: "reason",
    give: (reason) => withSent(({ id }) => ask(stage, "POST", `/envelopes/${id}/cancel`, { reason })),
    isMultiline: true,
  },
  "the reason of a participant who declines": {
    field: "reason",
    give: (reason) => withSent(({ links }) => decline(stage, links[0], { reason })),
    isMultiline: true,
  },
  "a typed signature": {
    field: "signature",
    give: (text) => withSent(({ links }) => complete(stage, links[0], { signature: { kind: "typed", text } })),
  },
};

/** Some of the texts, in turn: each stands in two places at least, and in each place stand some. All in all in texts.full.test.ts. */
function inTurn<Text>(texts: readonly Text[], place: number): readonly Text[] {
  const step = Math.min(byLane({ lane: 4, full: 1 }), texts.length);
  return texts.filter((_, at) => at % step === place % step);
}

const places = Object.entries(PLACES).map(([name, given], place) => [name, { ...given, place }] as const);
describe.each(places)("%s", (_, { field, give, isMultiline, place }) => {
  test("422 with the name of the member for each character that turns the direction of writing", async () => {
    for (const text of inTurn(turning, place)) expectError(await give(text), 422, "invalid_request", [field]);
  });

  test("422 for a text that nobody sees", async () => {
    for (const text of inTurn(UNSEEN, place)) expectError(await give(text), 422, "invalid_request", [field]);
  });

  test("422 for a text with characters that nobody sees", async () => {
    for (const text of inTurn(["Mar\u200bia", "Maria\u2060", "😀\u200dMaria"], place))
      expectError(await give(text), 422, "invalid_request", [field]);
  });

  test("422 names a character that cannot be drawn in documents", async () => {
    for (const [text, named] of UNDRAWABLE.slice(0, 2)) {
      const answer = await give(text);
      expectError(answer, 422, "invalid_request", [field]);
      const message = `must not have the character ${named}, which cannot be drawn in documents`;
      expect(answer.body.fields).toEqual([{ field, message }]);
    }
  });

  test("422 for control characters", async () => {
    for (const text of inTurn(["a\u0007b", "a\u001bb", "a\u0085b"], place))
      expectError(await give(text), 422, "invalid_request", [field]);
  });

  test("line breaks only where a text has several lines", async () => {
    const { status } = await give("One\r\nTwo\tThree");
    expect(status).toBe(isMultiline ? (await give("One")).status : 422);
  });

  test("names of all scripts are taken", async () => {
    for (const text of inTurn(RIGHT, place)) expect((await give(text)).status, text).toBeLessThan(300);
  });
});

test("hidden characters are refused wherever they stand, in SQL and on the signing page", async () => {
  const texts = [...HIDDEN, ...MISPLACED, ...RIGHT];
  const { rows } = await selo.database.admin.query<{ text: string; wrong: string | null }>(
    "select text, signature.wrong_text(text, true) as wrong from unnest($1::text[]) as given (text)",
    [texts],
  );
  const refused = [...HIDDEN, ...MISPLACED];
  expect(rows.filter(({ wrong }) => wrong !== null).map(({ text }) => text)).toEqual(refused);
  expect(texts.filter((text) => faultOf({ type: "texto" }, text, false) !== null)).toEqual(refused);
});

test("as many signs on one letter as Burmese and Tibetan have are taken, and a pile of accents is not", async () => {
  const { rows } = await selo.database.admin.query<{ fault: string | null }>(
    "select platform.undrawable_character(text) as fault from unnest($1::text[]) as given (text)",
    [["လျှို့ဝှက် မြွှေ့", "ཀྵྨྱྲྀ", "e\u0301\u0302\u0303\u0304", `a${"\u0301".repeat(5)}`]],
  );
  expect(rows.map(({ fault }) => fault)).toEqual([
    null,
    null,
    null,
    "must not have more than four accents on one letter",
  ]);
});

test("what cannot be drawn is named, and any letter of a living script can be drawn", async () => {
  const { rows } = await selo.database.admin.query<{ fault: string | null }>(
    "select platform.undrawable_character(text) as fault from unnest($1::text[]) as given (text)",
    [[...UNDRAWABLE.map(([text]) => text), ...RIGHT, "Σοφία Юлия Հայկ ნინო עברית ދިވެހި ߒߞߏ ᏣᎳᎩ", "㐂 ｱｲｳ ㈱ ①"]],
  );
  expect(rows.map(({ fault }) => fault?.slice("must not have the character ".length).split(", ")[0] ?? null)).toEqual([
    ...UNDRAWABLE.map(([, named]) => named),
    ...[...RIGHT, "", ""].map(() => null),
  ]);
});

test("a text of a field: the same rule", async () => {
  for (const text of [turning[7] as string, "a\nb", "\ue000"]) {
    const { answer, ofText } = await placed("texto", text, {});
    expectError(answer, 422, "invalid_request", [ofText]);
  }
  expect((await placed("texto", "مريم", {})).answer.status).toBe(200);
});

test("an e-mail address that shows in another order is none", async () => {
  const { id } = await anEnvelope(stage);
  for (const email of ["\u202emoc@example.com", "maria@exa\u200fmple.com"])
    expectError(
      await ask(stage, "POST", `/envelopes/${id}/participants`, { name: "Maria", email }),
      422,
      "invalid_request",
      ["email"],
    );
});

test("null and an empty text still remove message and external_id", async () => {
  for (const none of [null, ""]) {
    const { id } = await anEnvelope(stage, { message: "Please sign.", external_id: "order-7" });
    expect((await ask(stage, "PATCH", `/envelopes/${id}`, { message: none, external_id: none })).status).toBe(200);
    expect(await read(stage, id)).toMatchObject({ message: null, external_id: null });
  }
});

test("a member that is not given is not checked: a name from before the rule stays while the role changes", async () => {
  const { id } = await anEnvelope(stage);
  for (const name of [turning[7], "\ue000"]) {
    const { id: participantId } = await aParticipant(stage, id);
    await selo.database.admin.query("update signature.participants set name = $2 where id = $1", [participantId, name]);
    const answer = await ask(stage, "PATCH", `/envelopes/${id}/participants/${participantId}`, { role: "aprovador" });
    expect([answer.status, answer.body.role, answer.body.name]).toEqual([200, "aprovador", name]);
  }
});

test("GraphQL refuses the same texts with the same code and names", async () => {
  const { errors } = await graphql(
    selo,
    stage.token,
    `mutation($title: String!) { createEnvelope(input: {title: $title}) { envelope { id } } }`,
    { title: turning[7] },
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "title" }] });
});
