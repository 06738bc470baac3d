import { sealedColumnsOf } from "../../src/services/platform/keys/sealed-columns.ts";
import { services } from "../../src/services/services.ts";

/** Every column of secrets, of all services. */
export const sealedColumns = await sealedColumnsOf(services);
