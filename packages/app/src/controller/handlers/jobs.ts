import { phrase } from "@gong/spec"
import { type Answer, done, refuse } from "../answer.ts"
import type { HandlersOf } from "./handler.ts"

/** Commands on background jobs; also during a run. */
export const jobs: HandlersOf<"get_jobs" | "read_job" | "stop_job" | "background"> = {
  get_jobs({ current }, _, answer) {
    answer(done({ jobs: current.jobs.running() }))
  },
  read_job({ current }, { job }, answer) {
    const output = current.jobs.output(job)
    answer(output === null ? noJob(job) : done({ output }))
  },
  async stop_job({ current }, { job }, answer) {
    answer((await current.jobs.stop(job)) ? done({}) : noJob(job))
  },
  background({ current }, _, answer) {
    answer(done({ jobs: current.jobs.background() }))
  },
}

function noJob(job: number): Answer<never> {
  return refuse("not_found", phrase`There is no job ${job}.`)
}
