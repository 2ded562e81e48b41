export { type SandboxFeatures, type SandboxOptions, type SandboxTier, type SecretPath } from "./options.ts"
export { probeSandbox, type SandboxProbe } from "./probe.ts"
export { createSandboxedHost } from "./sandboxed.ts"
