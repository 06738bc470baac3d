import { answered, graphql, post } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";

/** The owner's note, with words and a file. */
let id: string;
/** A note without a recording, made anew for each test: it takes one. */
let unrecordedId: string;
/** The reminder of the note. */
let reminderId: string;
const marked = ({ marker }: Stage) => [marker];
const asks =
  (document: () => string): RootField["ask"] =>
  ({ selo }, token) =>
    graphql(selo, token, document());

/** How tests show that notes of organizations are kept apart. */
export const isolation: ServiceIsolation = {
  async prepare({ selo, owner, marker }) {
    const made = await graphql(selo, owner.live, `mutation { createNote(input: {text: "${marker}"}) { note { id } } }`);
    id = answered<{ note: { id: string } }>(made, "createNote").note.id;
    await call(selo, "PUT", `/notes/${id}/words`, { token: owner.live, body: { words: marker } });
    await call(selo, "POST", `/notes/${id}/file`, { token: owner.live, body: aForm(marker) });
    await selo.database.admin.query("select jobs.call($1, 'live', 'remind', $2)", [owner.id, { id }]);
    reminderId = (await call(selo, "GET", "/reminders", { token: owner.live })).body.items[0].id;
    return [id, reminderId];
  },
  async renew(stage) {
    unrecordedId = await newNote(stage);
  },
  rest: {
    "POST /notes": () => ({ path: "/notes", body: { text: "another" }, shows: ["another"] }),
    "GET /notes": ({ marker }) => ({ path: "/notes", shows: [marker] }),
    "GET /notes/{id}": ({ marker }) => ({ path: `/notes/${id}`, shows: [marker] }),
    "PATCH /notes/{id}": ({ marker }) => ({ path: `/notes/${id}`, body: { text: marker }, shows: [marker] }),
    "POST /notes/{id}/archive": ({ marker }) => ({ path: `/notes/${id}/archive`, shows: [marker] }),
    "POST /notes/{id}/clear-reminder": ({ marker }) => ({ path: `/notes/${id}/clear-reminder`, shows: [marker] }),
    "GET /reminders": () => ({ path: "/reminders", shows: [reminderId, id] }),
    "GET /reminders/{id}": () => ({ path: `/reminders/${reminderId}`, shows: [id] }),
    "POST /notes/{id}/file": ({ marker }) => ({ path: `/notes/${id}/file`, form: aForm(marker), shows: [marker] }),
    "POST /notes/{id}/recording": async (stage) => ({
      path: `/notes/${await newNote(stage)}/recording`,
      form: aForm(stage.marker),
      shows: [stage.marker],
    }),
    "GET /notes/{id}/file": async ({ selo, owner, marker }) => {
      // An archive may have replaced the file.
      await call(selo, "POST", `/notes/${id}/file`, { token: owner.live, body: aForm(marker) });
      return { path: `/notes/${id}/file`, shows: [marker] };
    },
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
    noteLimit: { scope: null, ask: asks(() => "{ noteLimit }"), shows: () => ["1000"] },
    uploadNoteFile: {
      scope: "notes:write",
      ask: ({ selo, marker }, token) => post(selo, token, uploadForm(id, aFile(marker))),
      shows: marked,
      isOfOne: true,
    },
    keepRecording: {
      scope: "notes:write",
      ask: ({ selo, marker }, token) => post(selo, token, uploadForm(unrecordedId, aFile(marker), KEEP_RECORDING)),
      shows: marked,
      isOfOne: true,
    },
    changeNote: {
      scope: "notes:write",
      ask: (stage, token) =>
        graphql(
          stage.selo,
          token,
          `mutation { changeNote(input: {id: "${id}", text: "${stage.marker}"}) { note { text } } }`,
        ),
      shows: marked,
      isOfOne: true,
    },
    archiveNote: {
      scope: "notes:write",
      ask: asks(() => `mutation { archiveNote(input: {id: "${id}"}) { note { text } } }`),
      shows: marked,
      isOfOne: true,
    },
    clearReminder: {
      scope: "notes:write",
      ask: asks(() => `mutation { clearReminder(input: {id: "${id}"}) { note { text } } }`),
      shows: marked,
      isOfOne: true,
    },
    createNote: {
      scope: "notes:write",
      ask: asks(() => `mutation { createNote(input: {text: "another"}) { note { text } } }`),
      shows: () => ["another"],
    },
  },
};

async function newNote({ selo, owner, marker }: Stage): Promise<string> {
  return (await call(selo, "POST", "/notes", { token: owner.live, body: { text: marker } })).body.id;
}

const aFile = (text: string) => new Blob([text]);

function aForm(text: string): FormData {
  const form = new FormData();
  form.append("file", aFile(text), "a.txt");
  return form;
}

const UPLOAD_NOTE_FILE =
  "mutation ($input: UploadNoteFileInput!) { uploadNoteFile(input: $input) { note { id text fileSha256 } } }";
export const KEEP_RECORDING =
  "mutation ($input: KeepRecordingInput!) { keepRecording(input: $input) { note { id text } } }";

/** A GraphQL multipart request in the form of its specification. */
export function uploadForm(id: string, file: Blob, query = UPLOAD_NOTE_FILE): FormData {
  const form = new FormData();
  form.set("operations", JSON.stringify({ query, variables: { input: { id, file: null } } }));
  form.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
  form.set("0", file, "a.txt");
  return form;
}
