// The dumps of the releases before the two latest.
import { testDumps } from "./dump-tests.ts";

testDumps(["0002-proofs", "0003-public-proofs", "0008-limits"]);
