import { testWrongCodes } from "./wrong-codes.ts";

testWrongCodes(10_000);
