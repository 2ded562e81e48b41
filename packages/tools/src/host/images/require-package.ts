/** Requires a package that cannot be bundled, on demand. Throws if it is not installed. */
export function requirePackage(name: string): unknown {
  const { createRequire } = process.getBuiltinModule("node:module")
  return createRequire(import.meta.url)(name)
}
