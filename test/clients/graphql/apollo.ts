// What a program with Apollo Client, as it comes, sees of Selo.
import { createHash, randomBytes } from "node:crypto";
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { createPersistedQueryLink } from "@apollo/client/link/persisted-queries";
import UploadHttpLink from "apollo-upload-client/UploadHttpLink.mjs";
import {
  ProofsPageDocument,
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
const headers = { authorization: `Bearer ${task.token}` };
const client = new ApolloClient({
  link: new HttpLink({ uri: task.url, headers }),
  cache: new InMemoryCache(),
});
// Apollo Client sends no files; this is the link that its documentation names for them.
const uploader = new ApolloClient({
  link: new UploadHttpLink({ uri: task.url, headers }),
  cache: new InMemoryCache(),
});

async function pagesOf({ pageSize }: Task): Promise<string[][]> {
  const first = { query: ProofsPageDocument, variables: { first: pageSize, after: null } };
  const list = client.watchQuery(first);
  const pages: string[][] = [];
  let { data } = await client.query(first);
  for (;;) {
    const connection = data?.proofs;
    if (!connection) throw new Error("no proofs were answered");
    pages.push(connection.nodes.map(({ id }) => id));
    if (!connection.pageInfo.hasNextPage) break;
    const more = await list.fetchMore({
      variables: { after: connection.pageInfo.endCursor },
      updateQuery: (_, { fetchMoreResult }) => fetchMoreResult,
    });
    data = more.data;
  }
  return pages;
}

/** With the link for persisted queries, which needs a function of its user for SHA-256. */
async function persistedBy(method: Persisted["method"]): Promise<Persisted> {
  let requests = 0;
  const counted: typeof fetch = (...asked) => {
    requests++;
    return fetch(...asked);
  };
  const link = createPersistedQueryLink({
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    useGETForHashedQueries: method === "GET",
  });
  const asker = new ApolloClient({
    link: link.concat(new HttpLink({ uri: task.url, headers, fetch: counted })),
    cache: new InMemoryCache(),
  });
  const { data: page } = await asker.query({ query: ProofsPageDocument, variables: { first: 1 } });
  const requestsOfQuery = requests;
  const { data: made } = await asker.mutate({
    mutation: RegisterProofDocument,
    variables: { input: { sha256: randomBytes(32).toString("hex") } },
  });
  return {
    method,
    newest: page?.proofs?.nodes[0]?.id,
    requestsOfQuery,
    created: made?.registerProof?.created,
    requestsOfMutation: requests - requestsOfQuery,
  };
}

async function shown(ask: Ask): Promise<Shown> {
  const { code, url, document, byGet } = ask;
  const link = ask.fileBytes === null ? HttpLink : UploadHttpLink;
  const asker = new ApolloClient({
    link: new link({ uri: url, headers: headersOf(ask) }),
    cache: new InMemoryCache(),
  });
  const operation = gql(document);
  const variables = variablesOf(ask);
  const context = byGet ? { fetchOptions: { method: "GET" } } : {};
  try {
    if (/^\s*mutation/.test(document)) await asker.mutate({ mutation: operation, variables, context });
    else await asker.query({ query: operation, variables, context });
  } catch (error) {
    if (!CombinedGraphQLErrors.is(error))
      return {
        expected: code,
        type: error instanceof Error ? `${error.name}: ${error.message}` : "?",
        codes: [],
        messages: [],
      };
    const { errors } = error;
    return {
      expected: code,
      type: error.name,
      codes: errors.map(({ extensions }) => extensions?.["code"]),
      messages: errors.map(({ message }) => message),
    };
  }
  return { expected: code, type: "no error", codes: [], messages: [] };
}

const { data: registered } = await client.mutate({
  mutation: RegisterProofDocument,
  variables: { input: { sha256: task.sha256, label: task.label } },
});
const { data: uploaded } = await uploader.mutate({
  mutation: UploadProofDocument,
  variables: { input: { file: new File([FILE_TEXT], FILE_NAME) } },
});
const pages = await pagesOf(task);
const { data: since } = await client.query({ query: ProofsSinceDocument, variables: { since: task.since } });
const { data: read } = await client.query({ query: WebhookDocument, variables: { id: task.webhookId } });
const asked: Shown[] = [];
for (const ask of task.asks) asked.push(await shown(ask));
write({
  pages,
  filtered: since?.proofs?.nodes.map(({ id }) => id) ?? [],
  registered: registered?.registerProof
    ? { created: registered.registerProof.created, ...registered.registerProof.proof }
    : null,
  uploaded: uploaded?.uploadProof?.proof ?? null,
  webhook: read?.webhookEndpoint ?? null,
  kept: Object.keys(client.cache.extract() as object),
  shown: asked,
  persisted: [await persistedBy("POST"), await persistedBy("GET")],
});
