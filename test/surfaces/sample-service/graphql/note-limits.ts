import { Ctx, Int, Query, Resolver } from "type-graphql";
import type { GraphqlContext } from "../../../../src/surfaces/graphql/context.ts";
import { commands } from "../generated.ts";
import type { NoteParts } from "../parts.ts";

/** What anyone may ask, as `openQueries` of service.ts says. */
@Resolver()
export class NoteLimitResolver {
  /** Counted for the address that asks, because it asks the database. */
  @Query(() => Int, {
    nullable: true,
    description: "How many notes an organization may have in each environment; needs no token.",
  })
  async noteLimit(@Ctx() context: GraphqlContext<NoteParts>): Promise<number> {
    const { most_notes } = (await context.query(commands.note_limit, {}, false)) as { most_notes: number };
    return most_notes;
  }

  /** Free: it costs nothing. */
  @Query(() => Int, {
    nullable: true,
    description: "How large the file of a note may be, in bytes; needs no token.",
  })
  noteFileLimit(@Ctx() { parts }: GraphqlContext<NoteParts>): number {
    return parts.noteMaxFileBytes;
  }
}
