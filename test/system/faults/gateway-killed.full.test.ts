import { testGatewayKilled } from "./gateway-killed.ts";

testGatewayKilled(5, 0);
