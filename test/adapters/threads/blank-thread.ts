// Started as a thread: the result of an order is what it is given.
import { takeOrders } from "../../../src/adapters/threads/orders.ts";

takeOrders(async (content: string) => Buffer.from(content));
