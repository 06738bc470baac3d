import { testHostileReceivers } from "./hostile-stage.ts";

testHostileReceivers(["http", "https"], 60, 1_000);
