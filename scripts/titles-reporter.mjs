/** A reporter of node:test: one JSON line for each test that ended, for scripts/coverage-scenarios.ts. */
export default async function* titles(events) {
  for await (const { type, data } of events) {
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue
    const left = data.skip ?? data.todo
    yield `${JSON.stringify({ title: data.name, ok: type === "test:pass", ...(left === undefined || left === false ? {} : { skip: left === true ? "no reason given" : left }) })}\n`
  }
}
