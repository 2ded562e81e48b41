// Loaded into the program that is measured (node --require): notes its own processor time, in microseconds, when the last
// bytes of each reply arrive and when the next request is made, and its memory then. GROWTH_FILE=FILE takes the notes.
const net = require("node:net")
const { writeFileSync } = require("node:fs")

const notes = []
let cpuAtData = 0
let wallAtData = 0

function cpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}

function note() {
  if (cpuAtData > 0) notes.push([cpu() - cpuAtData, (performance.now() - wallAtData) * 1000, process.memoryUsage.rss()])
  cpuAtData = 0
}

const { connect } = net
net.connect = (options) => {
  const { onread } = options
  if (onread === undefined) return connect(options)
  // Before the reader of the reply: all that is done with these bytes is the program's own work.
  const callback = (count, bytes) => {
    cpuAtData = cpu()
    wallAtData = performance.now()
    return onread.callback(count, bytes)
  }
  const socket = connect({ ...options, onread: { ...onread, callback } })
  const { write } = socket
  socket.write = function (...given) {
    note()
    return write.apply(this, given)
  }
  return socket
}
process.once("exit", () => writeFileSync(process.env.GROWTH_FILE, JSON.stringify(notes)))
