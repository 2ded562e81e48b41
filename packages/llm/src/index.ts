export { openProvider } from "./open-provider.ts"
export type { ProviderPorts } from "./wire/provider.ts"
export type { SilenceSettings } from "./wire/watch.ts"
