// What tsc must refuse: each line below its comment is an error, or tsc says that it is none.
import createClient from "openapi-fetch";
import * as hey from "./hey-api/index.ts";
import type { paths } from "./openapi-fetch/selo.ts";
import * as zod from "./orval/schemas.ts";
import * as orval from "./orval/selo.ts";
import { Api, type InsufficientCreditsError } from "./swagger-typescript-api/selo.ts";

const { proofs } = new Api();
const selo = createClient<paths>();
type Refused = paths["/proofs/files"]["post"]["responses"][402]["content"]["application/json"];

// A form without its file.
// @ts-expect-error
export const heyWithoutFile = () => hey.uploadProof({ body: { label: "x" } });
// @ts-expect-error
export const orvalWithoutFile = () => orval.uploadProof({ label: "x" });
// @ts-expect-error
export const apiWithoutFile = () => proofs.uploadProof({ label: "x" });
// @ts-expect-error
export const fetchWithoutFile = () => selo.POST("/proofs/files", { body: { label: "x" } });

// A file where only JSON is described.
// @ts-expect-error
export const heyFile = (file: File) => hey.registerProof({ body: { file } });
// @ts-expect-error
export const orvalFile = (file: File) => orval.registerProof({ file });
// @ts-expect-error
export const apiFile = (file: File) => proofs.registerProof({ file });
// @ts-expect-error
export const fetchFile = (file: File) => selo.POST("/proofs", { body: { file } });

// An unknown path.
// @ts-expect-error
export const noPath = () => selo.GET("/public/proof/{code}", { params: { path: { code: "x" } } });

// A member that the evidence does not have.
// @ts-expect-error
export const heyMember = ({ evidence }: hey.Proof) => evidence.file_digest;
// @ts-expect-error
export const orvalMember = ({ evidence }: orval.Proof) => evidence.file_digest;

// A code that an answer of this status does not have.
// @ts-expect-error
export const heyCode = (errors: hey.UploadProofErrors) => errors[402].detail.code === "conflict";
export const orvalCode = (answer: orval.uploadProofResponse) =>
  // @ts-expect-error
  answer.status === 402 && answer.data.detail.code === "conflict";
// @ts-expect-error
export const apiCode = (error: InsufficientCreditsError) => error.detail.code === "conflict";
// @ts-expect-error
export const fetchCode = (error: Refused) => error.detail.code === "conflict";
// @ts-expect-error
export const zodCode = (error: unknown) => zod.UploadProof402Response.parse(error).detail.code === "conflict";
