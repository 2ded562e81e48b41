export { type HookRunner, hookRunner, hookTime, type RunStart } from "./hooks.ts"
export type { Confirmation, ConfirmRequest, Limits, LoopPorts } from "./ports.ts"
export { run } from "./run.ts"
