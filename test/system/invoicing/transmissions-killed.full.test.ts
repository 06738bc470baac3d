import "./transmissions-killed.test.ts";
