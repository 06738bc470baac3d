// What a program with urql, as it comes, sees of Selo.
import { Client, CombinedError, cacheExchange, fetchExchange, gql, type OperationResult } from "urql";
import {
  ProofsPageDocument,
  type ProofsPageQuery,
  RegisterProofDocument,
  UploadProofDocument,
  WebhookDocument,
} from "./generated.ts";
import {
  type Ask,
  FILE_NAME,
  FILE_TEXT,
  headersOf,
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
const read = await client.query(WebhookDocument, { id: task.webhookId });
const asked: Shown[] = [];
for (const ask of task.asks) asked.push(await shown(ask));
const proof = registered.data?.registerProof;
write({
  pages,
  registered: proof ? { created: proof.created, ...proof.proof } : null,
  uploaded: uploaded.data?.uploadProof?.proof ?? null,
  webhook: read.data?.webhookEndpoint ?? null,
  kept: null,
  shown: asked,
});
