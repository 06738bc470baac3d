import { services } from "../../src/services/services.ts";

/** Every column of secrets, of all services. */
export const sealedColumns = (await Promise.all(services.map((service) => service.sealedColumns?.() ?? []))).flat();
