import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import type { FileUpload } from "graphql-upload/processRequest.mjs";
import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { z } from "zod";
import type { GraphqlContext } from "../../../../src/surfaces/graphql/context.ts";
import { digestOfUpload } from "../../../../src/surfaces/graphql/uploads.ts";
import { parseShape } from "../../../../src/surfaces/http/shape.ts";
import { attachFile } from "../operations/attach-file.ts";
import type { NoteParts } from "../parts.ts";
import { Note } from "./references.ts";

const identified = z.strictObject({ id: z.uuid("must be a UUID") });

@InputType({ description: "A file for a note." })
class UploadNoteFileInput {
  @Field(() => String, { description: "The note, a UUID." })
  id!: string;

  @Field(() => GraphQLUpload, { description: "The file, as a part of a GraphQL multipart request." })
  file!: Promise<FileUpload>;
}

@ObjectType({ description: "A note that got a file." })
class UploadNoteFilePayload {
  @Field(() => Note, { description: "The note." })
  note!: object;
}

@Resolver()
export class NoteFileResolver {
  @Mutation(() => UploadNoteFilePayload, {
    nullable: true,
    description: "Keeps a file with a note, in place of the one before: needs the header apollo-require-preflight.",
  })
  async uploadNoteFile(
    @Arg("input", () => UploadNoteFileInput, { description: "Which file, and for which note." })
    input: UploadNoteFileInput,
    @Ctx() context: GraphqlContext<NoteParts>,
  ): Promise<UploadNoteFilePayload> {
    const requester = { credentialHash: context.credential(), origin: context.origin };
    const { id } = parseShape(identified, { id: input.id });
    const chunks: Uint8Array[] = [];
    const { sha256 } = await digestOfUpload(input.file, context.parts.noteMaxFileBytes, (chunk) => chunks.push(chunk));
    // The variables have no file in them: the digest makes a repeated request the same.
    const idempotency = context.idempotency([sha256.toString("hex")]);
    const answer = await attachFile(context.parts, requester, { id, file: Buffer.concat(chunks) }, idempotency);
    return { note: context.answered(answer) as object };
  }
}
