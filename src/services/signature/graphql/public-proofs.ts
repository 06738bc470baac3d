import { Arg, Ctx, Field, ObjectType, Query, Resolver } from "type-graphql";
import type { GraphqlContext } from "../../../surfaces/graphql/context.ts";
import { parseShape } from "../../../surfaces/http/shape.ts";
import { VERIFICATION_WORDS as WORDS } from "../operations/check-seal.ts";
import { type PublicProofQuery, publicProof } from "../operations/public-proof.ts";
import { proofInput } from "../operations/register-proof.ts";
import type { SignatureParts } from "../parts.ts";
import { PlatformKey, PublicProof } from "./references.ts";

@ObjectType({ description: WORDS.signature })
class SignatureVerdict {
  @Field(() => String, { description: "Ed25519 (RFC 8032) or ML-DSA-87 (FIPS 204)." })
  algorithm!: string;

  @Field(() => String, { description: WORDS.keyId })
  keyId!: string;

  @Field(() => Boolean, { description: WORDS.signatureValid })
  valid!: boolean;
}

@ObjectType({ description: WORDS.verification })
class ProofVerification {
  @Field(() => Boolean, { description: WORDS.valid })
  valid!: boolean;

  @Field(() => String, { nullable: true, description: WORDS.fault })
  fault!: string | null;

  @Field(() => [SignatureVerdict], { description: WORDS.signatures })
  signatures!: SignatureVerdict[];
}

@ObjectType({ description: "A proof as anyone may see it, checked now." })
class VerifiedProof {
  @Field(() => PublicProof, { description: "The proof, without the file's name and size." })
  proof!: object;

  @Field(() => [PlatformKey], { description: "The two keys that the evidence names." })
  platformKeys!: readonly object[];

  @Field(() => ProofVerification, { description: "What checking it gave." })
  verification!: ProofVerification;
}

const digest = proofInput.pick({ sha256: true });

@Resolver()
export class PublicProofResolver {
  @Query(() => VerifiedProof, {
    nullable: true,
    description: "The proof behind a verification code; needs no token. 404 proof_not_found when there is none.",
  })
  publicProof(
    @Arg("code", () => String, { description: "XXXX-XXXX-XXXX, in whatever case, with or without dashes and spaces." })
    code: string,
    @Ctx() context: GraphqlContext<SignatureParts>,
  ): Promise<VerifiedProof> {
    return find(context, { code });
  }

  @Query(() => VerifiedProof, {
    nullable: true,
    description:
      "The earliest live proof of a file, by its digest, whoever registered it; needs no token. 404 proof_not_found when there is none.",
  })
  verifyProof(
    @Arg("sha256", () => String, { description: "SHA-256 of the file: 64 lowercase hexadecimal digits." })
    sha256: string,
    @Ctx() context: GraphqlContext<SignatureParts>,
  ): Promise<VerifiedProof> {
    return find(context, parseShape(digest, { sha256 }));
  }
}

async function find(
  { parts, origin }: GraphqlContext<SignatureParts>,
  query: PublicProofQuery,
): Promise<VerifiedProof> {
  const { proof, platformKeys, verification } = await publicProof(parts.database, origin, query);
  const signatures = verification.signatures.map(({ key_id, ...verdict }) => ({ ...verdict, keyId: key_id }));
  return { proof, platformKeys, verification: { ...verification, signatures } };
}
