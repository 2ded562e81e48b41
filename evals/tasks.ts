import type { Task } from "./task.ts"
import { data } from "./tasks/data.ts"
import { numbers } from "./tasks/numbers.ts"
import { programs } from "./tasks/programs.ts"
import { text } from "./tasks/text.ts"
import { time } from "./tasks/time.ts"

export const tasks: readonly Task[] = [...numbers, ...text, ...data, ...time, ...programs]
