// What a program with gql.tada, as it comes, sees of Selo: the types of its documents, which urql's client sends.
import { type AnyVariables, Client, cacheExchange, fetchExchange, type TypedDocumentNode } from "@urql/core";
import { initGraphQLTada } from "gql.tada";
import type { introspection } from "./graphql-env.d.ts";
import { type Ask, FILE_NAME, FILE_TEXT, type Report, readTask, write } from "./task.ts";

const task = readTask();

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { BigInt: string; Cursor: string; Date: string; Datetime: string; JSON: unknown; Upload: File };
}>();

const rowFragment = graphql(`
  fragment Row on Proof @_unmask {
    id
    label
  }
`);
const List = graphql(
  `
    query List($first: Int!, $after: Cursor) {
      proofs(first: $first, after: $after) {
        nodes { ...Row }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  [rowFragment],
);
const Since = graphql(`
  query Since($since: Datetime!) {
    proofs(first: 200, filter: { registeredAt: { greaterThan: $since } }, orderBy: REGISTERED_AT_ASC) {
      nodes { id }
    }
  }
`);
const Register = graphql(`
  mutation Register($input: RegisterProofInput!) {
    registerProof(input: $input) { created proof { sha256 label } }
  }
`);
const Upload = graphql(`
  mutation Upload($input: UploadProofInput!) {
    uploadProof(input: $input) { proof { sha256 fileName } }
  }
`);
const Remove = graphql(`
  mutation Remove($id: ID!) {
    deleteWebhook(input: { id: $id }) { done }
  }
`);

const clientOf = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  new Client({
    url: task.url,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers: { ...headers, authorization: `Bearer ${token}` } },
  });

async function codesOf({ operation, token, headers, variables, fileBytes }: Ask): Promise<unknown[]> {
  const client = clientOf(token, headers);
  const file = fileBytes === null ? null : new File([new Uint8Array(fileBytes)], FILE_NAME);
  // Variables that are wrong on purpose have no type.
  const untyped = (document: object) => document as TypedDocumentNode<unknown, AnyVariables>;
  const { error } =
    operation === "list"
      ? await client.query(untyped(List), variables)
      : await client.mutation(
          untyped({ register: Register, remove: Remove, upload: Upload }[operation]),
          file === null ? variables : { input: { file } },
        );
  return error?.graphQLErrors.map(({ extensions }) => extensions["code"]) ?? [];
}

const client = clientOf(task.token);
const { data: registered } = await client.mutation(Register, { input: { sha256: task.sha256, label: task.label } });
const { data: uploaded } = await client.mutation(Upload, { input: { file: new File([FILE_TEXT], FILE_NAME) } });
const ids: string[] = [];
let pages = 0;
for (let after: string | null = null, more = true; more; pages++) {
  const page = await read(after);
  ids.push(...page.nodes.map(({ id }) => id));
  ({ endCursor: after, hasNextPage: more } = page.pageInfo);
}
/** A page of proofs. */
async function read(after: string | null) {
  const { data, error } = await client.query(List, { first: task.pageSize, after });
  if (!data) throw error ?? new Error("nothing was answered");
  return data.proofs;
}
const { data: since } = await client.query(Since, { since: task.since });
const shown: Report["shown"][number][] = [];
for (const ask of task.asks) shown.push({ expected: ask.code, codes: await codesOf(ask) });
const { created, proof } = registered?.registerProof ?? {};
const file = uploaded?.uploadProof?.proof;
if (!since || !proof || created == null || !file) throw new Error("something was not answered");
write({
  ids,
  pages,
  filtered: since.proofs.nodes.map(({ id }) => id),
  registered: { created, sha256: proof.sha256, label: proof.label },
  kept: null,
  refetched: null,
  uploaded: { sha256: file.sha256, fileName: file.fileName },
  shown,
});
