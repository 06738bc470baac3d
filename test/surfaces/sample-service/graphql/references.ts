import { Field, ObjectType } from "type-graphql";

/** The type of api.notes, by its name: PostGraphile has its fields, and reads them from the row that a command answered. */
@ObjectType()
export class Note {
  // A type without a field is none; PostGraphile's own definition takes this one's place.
  @Field(() => String)
  id!: string;
}
