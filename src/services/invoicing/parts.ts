import { operationsOf } from "../../surfaces/operation.ts";
import type { CommonParts } from "../started-service.ts";

/** The objects that this service's operations work with. */
export type InvoicingParts = CommonParts;

export const operation = operationsOf<InvoicingParts>();
