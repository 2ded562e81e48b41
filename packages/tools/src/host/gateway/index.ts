export { createGateway, type Gateway, type GatewayOptions, type CommandNetwork } from "./gateway.ts"
export type { NetworkPorts, OpenedConnection, Target, FailedConnection, Verdict } from "./ports.ts"
