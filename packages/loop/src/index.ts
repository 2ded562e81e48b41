export { withoutSecrets } from "./execute.ts"
export { type HookRunner, hookRunner, hookTime, type RunStart } from "./hooks.ts"
export type { Limits, LoopPorts } from "./ports.ts"
export { run } from "./run.ts"
