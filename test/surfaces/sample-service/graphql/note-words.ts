import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { z } from "zod";
import type { GraphqlContext } from "../../../../src/surfaces/graphql/context.ts";
import { parseShape } from "../../../../src/surfaces/http/shape.ts";
import { commands } from "../generated.ts";
import type { NoteParts } from "../parts.ts";
import { openWords } from "../words.ts";

const identified = z.strictObject({ id: z.uuid("must be a UUID") });

@Resolver()
export class NoteWordsResolver {
  @Query(() => String, { nullable: true, description: "The sealed words of a note; null without any." })
  async noteWords(
    @Arg("id", () => String, { description: "The note, a UUID." }) given: string,
    @Ctx() context: GraphqlContext<NoteParts>,
  ): Promise<string | null> {
    const { id } = parseShape(identified, { id: given });
    const { sealed_words } = (await context.query(commands.read_words, { id }, false)) as {
      sealed_words: string | null;
    };
    return sealed_words === null ? null : openWords(context.parts.masterKeys, id, sealed_words);
  }
}
