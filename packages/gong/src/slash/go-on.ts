import { type At, refused, said, type SlashEnd, type Target } from "./command.ts"

/** Leaves the open session for another one, after a yes where jobs would end with it. */
export async function goOn({ t, app, asking }: At, target: Target): Promise<SlashEnd> {
  const jobs = app.jobs()
  if (jobs.length > 0) {
    const names = jobs.join(", ")
    const ends =
      jobs.length === 1
        ? t`1 job ends with this session: ${names}.`
        : t`${jobs.length} jobs end with this session: ${names}.`
    if (!(await asking.confirm(t`${ends} Go on?`))) return said([t`Nothing has changed.`])
  }
  const opened = await app.open(target)
  return opened.ok ? said([], { session: opened.value.id }) : refused(t, opened)
}
