// The dumps of versions before v0.1.0: data alone.
import { testDumps } from "./dump-tests.ts";

testDumps(["0002-proofs", "0003-public-proofs", "0008-limits"]);
