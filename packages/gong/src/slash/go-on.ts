import { type At, refused, said, type SlashEnd, type Target } from "./command.ts"

/** Leaves the open session for another one, after a yes where jobs would end with it. */
export async function goOn({ app, asking }: At, target: Target): Promise<SlashEnd> {
  const jobs = app.jobs()
  if (jobs.length > 0) {
    const ends = `${jobs.length === 1 ? "1 job ends" : `${jobs.length} jobs end`} with this session: ${jobs.join(", ")}.`
    if (!(await asking.confirm(`${ends} Go on?`))) return said(["Nothing has changed."])
  }
  const opened = await app.open(target)
  return opened.ok ? said([], { session: opened.value.id }) : refused(opened)
}
