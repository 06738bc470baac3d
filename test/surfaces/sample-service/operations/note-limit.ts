import { z } from "zod";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";

/** A public query: its command needs no scope. */
export const noteLimit = operation({
  name: "noteLimit",
  command: commands.note_limit,
  rest: null,
  graphql: {
    description: "How many notes an organization may have in each environment; needs no token.",
    payload: { value: z.int32() },
    example: { document: "{ noteLimit }" },
  },
  run: async ({ call }) => {
    const answer = await call(commands.note_limit, {});
    const { most_notes } = JSON.parse(answer.body ?? "") as { readonly most_notes: number };
    return { ...answer, body: JSON.stringify(most_notes) };
  },
});
