/** A package that cannot be bundled, by name and when it is first needed. Throws when it is not installed. */
export function requirePackage(name: string): unknown {
  const { createRequire } = process.getBuiltinModule("node:module")
  return createRequire(import.meta.url)(name)
}
