// Preloaded into the measured program (node --require): every sync takes SLOW_MS milliseconds longer, a blocking one as
// well as one in the thread pool.
const fs = require("node:fs")
const { syncBuiltinESMExports } = require("node:module")

const slow = Number(process.env.SLOW_MS)
const halted = new Int32Array(new SharedArrayBuffer(4))

for (const name of ["fsync", "fdatasync"]) {
  const { [name]: later, [`${name}Sync`]: blocking } = fs
  fs[name] = (file, callback) => void setTimeout(() => later(file, callback), slow)
  fs[`${name}Sync`] = (file) => {
    Atomics.wait(halted, 0, 0, slow)
    return blocking(file)
  }
}
syncBuiltinESMExports()
