// What a program with urql, as it comes, sees of Selo.
import { randomBytes } from "node:crypto";
import { persistedExchange } from "@urql/exchange-persisted";
import { Client, CombinedError, cacheExchange, fetchExchange, gql, type OperationResult } from "urql";
import {
  ProofsPageDocument,
  type ProofsPageQuery,
  ProofsSinceDocument,
  RegisterProofDocument,
  UploadProofDocument,
  WebhookDocument,
} from "./generated.ts";
import {
  type Ask,
  FILE_NAME,
  FILE_TEXT,
  headersOf,
  type Persisted,
  readTask,
  type Shown,
  type Task,
  variablesOf,
  write,
} from "./task.ts";

const task = readTask();
const client = clientOf(task.url, { authorization: `Bearer ${task.token}` });

function clientOf(url: string, headers: Readonly<Record<string, string>>): Client {
  return new Client({
    url,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: () => ({ headers }),
  });
}

async function pagesOf({ pageSize }: Task): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | null = null;
  for (;;) {
    const page: OperationResult<ProofsPageQuery> = await client.query(ProofsPageDocument, { first: pageSize, after });
    const { data, error } = page;
    if (error) throw error;
    if (!data?.proofs) throw new Error("no proofs were answered");
    pages.push(data.proofs.nodes.map(({ id }) => id));
    if (!data.proofs.pageInfo.hasNextPage) return pages;
    after = data.proofs.pageInfo.endCursor;
  }
}

/** With the exchange for persisted queries. It leaves mutations alone, and asks for a query by GET, unless told otherwise. */
async function persistedBy(method: Persisted["method"]): Promise<Persisted> {
  let requests = 0;
  const counted: typeof fetch = (...asked) => {
    requests++;
    return fetch(...asked);
  };
  const persisted = method === "GET" ? {} : { preferGetForPersistedQueries: false, enableForMutation: true };
  const asker = new Client({
    url: task.url,
    fetch: counted,
    exchanges: [persistedExchange(persisted), fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${task.token}` } },
  });
  const page: OperationResult<ProofsPageQuery> = await asker.query(ProofsPageDocument, { first: 1 });
  const requestsOfQuery = requests;
  const made = await asker.mutation(RegisterProofDocument, { input: { sha256: randomBytes(32).toString("hex") } });
  return {
    method,
    newest: page.data?.proofs?.nodes[0]?.id,
    requestsOfQuery,
    created: made.data?.registerProof?.created,
    requestsOfMutation: requests - requestsOfQuery,
  };
}

async function shown(ask: Ask): Promise<Shown> {
  const { code, url, document } = ask;
  const asker = clientOf(url, headersOf(ask));
  const operation = gql(document);
  const variables = variablesOf(ask);
  const { error } = /^\s*mutation/.test(document)
    ? await asker.mutation(operation, variables)
    : await asker.query(operation, variables);
  if (!(error instanceof CombinedError)) return { expected: code, type: "no error", codes: [], messages: [] };
  return {
    expected: code,
    type: error.networkError ? `network: ${error.networkError.message}` : error.name,
    codes: error.graphQLErrors.map(({ extensions }) => extensions["code"]),
    messages: error.graphQLErrors.map(({ message }) => message),
  };
}

const registered = await client.mutation(RegisterProofDocument, {
  input: { sha256: task.sha256, label: task.label },
});
const uploaded = await client.mutation(UploadProofDocument, { input: { file: new File([FILE_TEXT], FILE_NAME) } });
const pages = await pagesOf(task);
const since = await client.query(ProofsSinceDocument, { since: task.since });
const read = await client.query(WebhookDocument, { id: task.webhookId });
const asked: Shown[] = [];
for (const ask of task.asks) asked.push(await shown(ask));
const proof = registered.data?.registerProof;
write({
  pages,
  filtered: since.data?.proofs?.nodes.map(({ id }) => id) ?? [],
  registered: proof ? { created: proof.created, ...proof.proof } : null,
  uploaded: uploaded.data?.uploadProof?.proof ?? null,
  webhook: read.data?.webhookEndpoint ?? null,
  kept: null,
  shown: asked,
  persisted: [await persistedBy("POST"), await persistedBy("GET")],
});
