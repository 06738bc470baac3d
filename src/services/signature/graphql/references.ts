import { Field, ObjectType } from "type-graphql";

/**
 * Types of schema api that resolvers answer with. Only their names are declared: PostGraphile has the rest, and reads
 * each field from the row that the command answered (surfaces/graphql/schema/command-row.ts), so no second look at the
 * database is needed and a token that may only write still sees what it wrote.
 */
@ObjectType()
export class Proof {
  // A type without a field is none; PostGraphile's own definition takes this one's place.
  @Field(() => String)
  id!: string;
}

@ObjectType()
export class PublicProof {
  // A type without a field is none; PostGraphile's own definition takes this one's place.
  @Field(() => String)
  id!: string;
}

@ObjectType()
export class PlatformKey {
  // A type without a field is none; PostGraphile's own definition takes this one's place.
  @Field(() => String)
  keyId!: string;
}
