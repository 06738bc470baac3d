import { z } from "zod";
import { UNKNOWN_ID } from "../../../../src/surfaces/openapi/examples/files.ts";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";
import { openWords } from "../words.ts";

/** The sealed words of a note, decrypted here: a query in GraphQL only. */
export const noteWords = operation({
  name: "noteWords",
  command: commands.read_words,
  rest: null,
  graphql: {
    description: "The sealed words of a note; null without any.",
    payload: { value: z.string().nullable() },
    example: {
      document: "query ($id: ID!) { noteWords(id: $id) }",
      variables: { id: UNKNOWN_ID },
    },
  },
  run: async ({ call, parts: { masterKeys } }, { id }) => {
    const answer = await call(commands.read_words, { id });
    const { sealed_words } = JSON.parse(answer.body ?? "") as { readonly sealed_words: string | null };
    return { ...answer, body: JSON.stringify(sealed_words && openWords(masterKeys, id, sealed_words)) };
  },
});
