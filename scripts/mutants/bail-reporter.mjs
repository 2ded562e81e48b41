/** A reporter of node:test: ends the process at the first failed test, whose name it prints. */
export default async function* bail(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.details?.type === "suite") continue
    process.stdout.write(`${data.name}\n`, () => process.exit(1))
    yield ""
  }
}
