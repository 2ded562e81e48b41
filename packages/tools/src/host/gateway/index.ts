export { createGateway, type Gateway, type GatewayOptions, type Visit } from "./gateway.ts"
export type { NetworkPorts, Reached, Target, Unreached, Verdict } from "./ports.ts"
