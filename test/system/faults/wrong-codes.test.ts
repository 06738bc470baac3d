// A thousand wrong codes over a hundred connections; ten thousand: wrong-codes.full.test.ts.
import { testWrongCodes } from "./wrong-codes.ts";

testWrongCodes(1_000);
