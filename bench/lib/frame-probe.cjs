// Loaded into the program that is measured (node --require): the time and the milliseconds of each callback of a timer,
// which draw the frames.
// FRAME_FILE=FILE takes them at the end.
const { writeFileSync } = require("node:fs")

const times = []
const { setTimeout: start } = globalThis
globalThis.setTimeout = function (callback, ...rest) {
  const timed = (...given) => {
    const before = performance.now()
    callback(...given)
    times.push([before, performance.now() - before])
  }
  return start(timed, ...rest)
}
process.once("exit", () => writeFileSync(process.env.FRAME_FILE, JSON.stringify(times)))
