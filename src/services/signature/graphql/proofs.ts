import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import type { FileUpload } from "graphql-upload/processRequest.mjs";
import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { z } from "zod";
import type { GraphqlContext } from "../../../surfaces/graphql/context.ts";
import { BigIntScalar } from "../../../surfaces/graphql/schema/scalars.ts";
import { digestOfUpload } from "../../../surfaces/graphql/uploads.ts";
import { parseShape } from "../../../surfaces/http/shape.ts";
import { type ProofInput, proofInput, registerProof } from "../operations/register-proof.ts";
import type { SignatureParts } from "../parts.ts";
import { Proof } from "./references.ts";

@InputType({ description: "The digest of a file to be proved, and what to keep about it." })
class RegisterProofInput {
  @Field(() => String, { description: "SHA-256 of the file: 64 lowercase hexadecimal digits." })
  sha256!: string;

  @Field(() => String, {
    nullable: true,
    description: "Shown on receipt and public verification; up to 200 characters.",
  })
  label?: string | null;

  @Field(() => String, { nullable: true, description: "Never shown publicly; up to 255 characters." })
  fileName?: string | null;

  @Field(() => BigIntScalar, { nullable: true, description: "In bytes, 0 to 2^53-1; never shown publicly." })
  fileSize?: string | null;
}

@InputType({ description: "A file to be proved; it is hashed and not kept." })
class UploadProofInput {
  @Field(() => GraphQLUpload, { description: "The file, as a part of a GraphQL multipart request." })
  file!: Promise<FileUpload>;

  @Field(() => String, {
    nullable: true,
    description: "Shown on receipt and public verification; up to 200 characters.",
  })
  label?: string | null;
}

@ObjectType({ description: "A proof that was asked for." })
class RegisterProofPayload {
  @Field(() => Boolean, { description: "False when the digest was registered before: then it is that earlier proof." })
  created!: boolean;

  @Field(() => Proof, { description: "The proof." })
  proof!: object;
}

/** What POST /proofs answers, as far as it is read here: the proof as SQL wrote it, and whether it is new. */
const proofBody = z.looseObject({ created: z.boolean() });

@Resolver()
export class ProofResolver {
  /** Registers a digest; errors are those of {@link registerProof}. */
  @Mutation(() => RegisterProofPayload, {
    nullable: true,
    description:
      "Registers the digest of a file and seals it with two signatures. Takes a credit unless the digest is registered already.",
  })
  async registerProof(
    @Arg("input", () => RegisterProofInput, { description: "What to register." }) input: RegisterProofInput,
    @Ctx() context: GraphqlContext<SignatureParts>,
  ): Promise<RegisterProofPayload> {
    context.credential(); // who may not ask is told so first
    const proof = parseShape(proofInput, {
      sha256: input.sha256,
      label: input.label,
      file_name: input.fileName,
      file_size: input.fileSize === undefined || input.fileSize === null ? input.fileSize : Number(input.fileSize),
    });
    return register(context, proof);
  }

  /** Hashes an uploaded file as it is read from the temporary folder, then registers it. */
  @Mutation(() => RegisterProofPayload, {
    nullable: true,
    description:
      "The same for a file, which is hashed and not kept: a GraphQL multipart request with the header apollo-require-preflight.",
  })
  async uploadProof(
    @Arg("input", () => UploadProofInput, { description: "What to register." }) input: UploadProofInput,
    @Ctx() context: GraphqlContext<SignatureParts>,
  ): Promise<RegisterProofPayload> {
    const { sha256, bytes, fileName } = await digestOfUpload(input.file, context.parts.proofMaxFileBytes);
    const proof = parseShape(proofInput, {
      sha256: sha256.toString("hex"),
      label: input.label,
      file_name: fileName,
      file_size: bytes,
    });
    return register(context, proof, [{ file: proof.sha256, file_name: proof.file_name }]);
  }
}

async function register(
  context: GraphqlContext<SignatureParts>,
  input: ProofInput,
  files: readonly unknown[] = [],
): Promise<RegisterProofPayload> {
  const requester = { credentialHash: context.credential(), origin: context.origin };
  const answer = await registerProof(context.parts, requester, input, context.idempotency(files));
  const proof = proofBody.parse(context.answered(answer));
  return { created: proof.created, proof };
}
