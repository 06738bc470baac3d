// Receipts and verifiers of each version, each with each.
import "./released.test.ts";
