// One kill; more: gateway-killed.full.test.ts.
import { testGatewayKilled } from "./gateway-killed.ts";

testGatewayKilled(1, 50);
