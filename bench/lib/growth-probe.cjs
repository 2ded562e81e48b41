// Loaded into the program that is measured (node --require): notes its own processor time, in microseconds, when the last
// bytes of each reply arrive and when the next request is made, and its memory then. GROWTH_FILE=FILE takes the notes.
const { subscribe } = require("node:diagnostics_channel")
const { writeFileSync } = require("node:fs")

const notes = []
const watched = new WeakSet()
let cpuAtData = 0
let wallAtData = 0

function cpu() {
  const { user, system } = process.cpuUsage()
  return user + system
}

subscribe("http.client.request.created", ({ request }) => {
  if (cpuAtData > 0) notes.push([cpu() - cpuAtData, (performance.now() - wallAtData) * 1000, process.memoryUsage.rss()])
  request.once("socket", (socket) => {
    if (watched.has(socket)) return
    watched.add(socket)
    // Before the parser of the reply: all that is done with these bytes is the program's own work.
    socket.prependListener("data", () => {
      cpuAtData = cpu()
      wallAtData = performance.now()
    })
  })
})
process.once("exit", () => writeFileSync(process.env.GROWTH_FILE, JSON.stringify(notes)))
