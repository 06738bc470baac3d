// What a program with Relay, as it comes, sees of Selo.

import { registerHooks } from "node:module";
import type {
  FetchFunction,
  GraphQLResponse,
  GraphQLTaggedNode,
  MutationParameters,
  OperationType,
} from "relay-runtime";
import relay from "relay-runtime";
import list, { type seloListQuery } from "./__generated__/seloListQuery.graphql.ts";
import register, { type seloRegisterMutation } from "./__generated__/seloRegisterMutation.graphql.ts";
import remove from "./__generated__/seloRemoveMutation.graphql.ts";
import since, { type seloSinceQuery } from "./__generated__/seloSinceQuery.graphql.ts";
import upload, { type seloUploadMutation } from "./__generated__/seloUploadMutation.graphql.ts";
import { type Ask, FILE_NAME, FILE_TEXT, type Report, readTask, write } from "./task.ts";

const { commitLocalUpdate, commitMutation, ConnectionHandler, Environment, fetchQuery, getRefetchMetadata } = relay;
const { Network, RecordSource, Store } = relay;
const task = readTask();

// As bundlers do: what relay-compiler makes of a fragment names the file of its query without the ending.
registerHooks({ resolve: (name, context, next) => next(name.replace(/\.graphql$/, "$&.ts"), context) });

/** As Relay's documentation writes it; files go as graphql-multipart-request-spec says. */
const fetchBy =
  (headers: Record<string, string>): FetchFunction =>
  async ({ text }, variables, _, uploadables) => {
    const operation = JSON.stringify({ query: text, variables });
    const accept = "application/graphql-response+json, application/json;q=0.9";
    if (!uploadables)
      return answerOf({ headers: { accept, "content-type": "application/json", ...headers }, body: operation });
    const form = new FormData();
    form.set("operations", operation);
    form.set(
      "map",
      JSON.stringify(Object.fromEntries(Object.keys(uploadables).map((name) => [name, [`variables.${name}`]]))),
    );
    for (const [name, file] of Object.entries(uploadables)) form.set(name, file as File);
    return answerOf({ headers: { accept, ...headers }, body: form });
  };
const answerOf = async (request: RequestInit) =>
  (await (await fetch(task.url, { method: "POST", ...request })).json()) as GraphQLResponse;

const environmentOf = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  new Environment({
    network: Network.create(fetchBy({ ...headers, authorization: `Bearer ${token}` })),
    store: new Store(new RecordSource()),
    getDataID: ({ nodeId }) => nodeId,
  });
type Env = ReturnType<typeof environmentOf>;

async function asked<Operation extends OperationType>(
  env: Env,
  query: GraphQLTaggedNode,
  variables: Operation["variables"],
) {
  const data = await fetchQuery<Operation>(env, query, variables).toPromise();
  if (data === undefined) throw new Error("nothing was answered");
  return data;
}

const committed = <Operation extends MutationParameters>(
  env: Env,
  mutation: GraphQLTaggedNode,
  variables: Operation["variables"],
  uploadables?: Record<string, File>,
) =>
  new Promise<Operation["response"]>((resolve, reject) => {
    commitMutation<Operation>(env, {
      mutation,
      variables,
      onCompleted: (response, errors) => (errors ? reject({ source: { errors } }) : resolve(response)),
      onError: reject,
      ...(uploadables ? { uploadables } : {}),
    });
  });

/** Relay throws an error whose `source` is the answer without data. It hands the errors beside data to who completes a mutation. */
async function codesOf({ operation, token, headers, variables, fileBytes }: Ask): Promise<unknown[]> {
  const env = environmentOf(token, headers);
  const files = fileBytes === null ? undefined : { "input.file": new File([new Uint8Array(fileBytes)], FILE_NAME) };
  try {
    if (operation === "list") await asked(env, list, variables);
    else await committed(env, { register, remove, upload }[operation], { connections: [], ...variables }, files);
  } catch (error) {
    const { source } = error as { source?: { errors?: { extensions?: { code?: unknown } }[] } };
    return source?.errors?.map(({ extensions }) => extensions?.code) ?? [String(error)];
  }
  return [];
}

const env = environmentOf(task.token);
const { registerProof } = await committed<seloRegisterMutation>(env, register, {
  input: { sha256: task.sha256, label: task.label },
  connections: [],
});
const { uploadProof } = await committed<seloUploadMutation>(
  env,
  upload,
  { input: { file: null } },
  { "input.file": new File([FILE_TEXT], FILE_NAME) },
);
/** All proofs that the client keeps, once it has read a further page; relay-compiler adds pageInfo, and gives it no type. */
async function pageAfter(after: string | null) {
  const { proofs } = await asked<seloListQuery>(env, list, { first: task.pageSize, after });
  const { pageInfo } = proofs as unknown as { pageInfo: { endCursor: string | null; hasNextPage: boolean } };
  return { ids: proofs.edges.map(({ node }) => node.id), ...pageInfo };
}
let read = await pageAfter(null);
let pages = 1;
for (; read.hasNextPage; pages++) read = await pageAfter(read.endCursor);
const filtered = await asked<seloSinceQuery>(env, since, { since: task.since });
const connection = ConnectionHandler.getConnectionID("client:root", "selo_proofs");
await committed<seloRegisterMutation>(env, register, { input: { sha256: task.sha256 }, connections: [connection] });
/** Objects that the store keeps, by the member that leads to them. */
const leads = (id: string, member: string) =>
  env.getStore().getSource().get(id)?.[member] as { readonly __ref: string; readonly __refs: readonly string[] };
const memberOf = (id: string, member: string) => env.getStore().getSource().get(id)?.[member] as string;
const kept = leads(connection, "edges").__refs.map((edge) => memberOf(leads(edge, "node").__ref, "id"));
const shown: Report["shown"][number][] = [];
for (const ask of task.asks) shown.push({ expected: ask.code, codes: await codesOf(ask) });
if (!registerProof?.proof || !uploadProof?.proof) throw new Error("no proof was answered");
const { created, proof } = registerProof;
commitLocalUpdate(env, (store) => store.get(proof.nodeId)?.setValue("forgotten", "label"));
if (memberOf(proof.nodeId, "label") !== "forgotten") throw new Error("the proof is kept by something else");
// As useRefetchableFragment of react-relay does.
const { default: row } = await import("./__generated__/seloRow_proof.graphql.ts");
const { identifierInfo, refetchableRequest } = getRefetchMetadata(row, "seloRow_proof");
await asked(env, refetchableRequest, { [identifierInfo?.identifierQueryVariableName ?? "id"]: proof.nodeId });
write({
  ids: read.ids,
  pages,
  filtered: filtered.proofs.nodes.map(({ id }) => id),
  registered: { created, sha256: proof.sha256, label: proof.label ?? null },
  kept,
  refetched: memberOf(proof.nodeId, "label"),
  uploaded: { sha256: uploadProof.proof.sha256, fileName: uploadProof.proof.fileName ?? null },
  shown,
});
