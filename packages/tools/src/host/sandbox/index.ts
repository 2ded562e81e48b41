export { type SandboxFeatures, type SandboxOptions, type SandboxTier, type SecretPlace } from "./options.ts"
export { probeSandbox, type Probed } from "./probe.ts"
export { sandboxed } from "./sandboxed.ts"
