/** Flags of V8 for the time after the start. V8 reads each when it needs it, so they may be set while it runs. */
const sessionFlags = [
  // Each part of a tool runs a few times in a session, and would do so in the interpreter (docs/decisions/machine-code-at-once.md).
  "--always-sparkplug",
  // The middle compiler gets what runs often, the last one only loops (docs/decisions/optimized-later.md).
  "--invocation-count-for-maglev=3000",
  "--invocation-count-for-turbofan=1000000",
  // The memory for young objects stays as large as the start made it (docs/decisions/young-memory-stays-small.md).
  "--semi-space-growth-factor=1",
]

/** Called when the first reply begins: most of the code compiled before that runs only once. */
export function tuneForSession(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8")
  for (const flag of sessionFlags) setFlagsFromString(flag)
}
