import { answered, graphql } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";

/** The owner's note, which has words. */
let id: string;
/** The reminder of it. */
let reminderId: string;
const marked = ({ marker }: Stage) => [marker];
const asks =
  (document: () => string): RootField["ask"] =>
  ({ selo }, token) =>
    graphql(selo, token, document());

/** How the tests show that notes are kept apart. */
export const isolation: ServiceIsolation = {
  async prepare({ selo, owner, marker }) {
    const made = await graphql(
      selo,
      owner.live,
      `mutation { createNote(input: {text: "${marker}"}) { result { id } } }`,
    );
    id = answered<{ result: { id: string } }>(made, "createNote").result.id;
    await call(selo, "PUT", `/notes/${id}/words`, { token: owner.live, body: { words: marker } });
    await selo.database.admin.query("select jobs.call($1, 'live', 'remind', $2)", [owner.id, { id }]);
    reminderId = (await call(selo, "GET", "/reminders", { token: owner.live })).body.items[0].id;
    return [id, reminderId];
  },
  rest: {
    "POST /notes": () => ({ path: "/notes", body: { text: "another" }, shows: ["another"] }),
    "GET /notes": ({ marker }) => ({ path: "/notes", shows: [marker] }),
    "GET /notes/{id}": ({ marker }) => ({ path: `/notes/${id}`, shows: [marker] }),
    "PATCH /notes/{id}": ({ marker }) => ({ path: `/notes/${id}`, body: { text: marker }, shows: [marker] }),
    "GET /reminders": () => ({ path: "/reminders", shows: [reminderId, id] }),
    "GET /reminders/{id}": () => ({ path: `/reminders/${reminderId}`, shows: [id] }),
    "POST /notes/{id}/file": ({ marker }) => ({ path: `/notes/${id}/file`, form: aFile(), shows: [marker] }),
    "PUT /notes/{id}/words": ({ marker }) => ({ path: `/notes/${id}/words`, body: { words: marker }, shows: [marker] }),
  },
  graphql: {
    reminder: {
      scope: "notes:read",
      ask: asks(() => `{ reminder(id: "${reminderId}") { id noteId } }`),
      shows: () => [reminderId],
    },
    reminders: {
      scope: "notes:read",
      ask: asks(() => "{ reminders { nodes { id noteId } edges { cursor } } }"),
      shows: () => [reminderId],
    },
    note: { scope: "notes:read", ask: asks(() => `{ note(id: "${id}") { id text } }`), shows: marked },
    notes: { scope: "notes:read", ask: asks(() => "{ notes { nodes { id text } edges { cursor } } }"), shows: marked },
    noteWords: {
      scope: "notes:read",
      ask: asks(() => `{ noteWords(id: "${id}") }`),
      shows: marked,
      isOfOne: true,
    },
    changeNote: {
      scope: "notes:write",
      ask: (stage, token) =>
        graphql(
          stage.selo,
          token,
          `mutation { changeNote(input: {id: "${id}", text: "${stage.marker}"}) { result { text } } }`,
        ),
      shows: marked,
      isOfOne: true,
    },
    createNote: {
      scope: "notes:write",
      ask: asks(() => `mutation { createNote(input: {text: "another"}) { result { text } } }`),
      shows: () => ["another"],
    },
  },
};

function aFile(): FormData {
  const form = new FormData();
  form.append("file", new Blob(["A\n"]), "a.txt");
  return form;
}
