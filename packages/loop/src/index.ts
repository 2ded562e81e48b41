export type { Confirmation, ConfirmRequest, Limits, LoopPorts } from "./ports.ts"
export { run } from "./run.ts"
