import { createSocket } from "node:dgram"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { type Attack, perl, perlCommand } from "./cases.ts"

/** Stands for another machine: a loopback address that is not one of the local services. */
const other = "127.77.0.1"

/** Loopback ports that the gateway does not forward. */
export const closedPorts = new Set<number>()

let port = 0
const abstractName = `gong-attack-${process.pid}`

async function serve(at: { host: string } | { path: string }): Promise<() => unknown> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.end("reached\n")
  })
  server.listen("host" in at ? { port: 0, ...at } : at)
  await once(server, "listening")
  if ("host" in at) port = (server.address() as AddressInfo).port
  return () => server.close()
}

async function answerDatagrams(): Promise<() => unknown> {
  const socket = createSocket("udp4")
  socket.on("message", (_, from) => socket.send("reached\n", from.port, from.address))
  socket.bind(0, other)
  await once(socket, "listening")
  port = socket.address().port
  return () => socket.close()
}

const otherMachine = () => serve({ host: other })
const tcp = (host: string) => `timeout 5 bash -c 'cat </dev/tcp/${host}/${port}'`
const udp = () => `timeout 2 bash -c 'exec 3<>/dev/udp/${other}/${port}; echo x >&3; head -n1 <&3'`

/** Ways out of the network that bypass the gateway. */
export const networkAttacks: readonly Attack[] = [
  { name: "another machine over TCP", before: otherMachine, command: () => tcp(other) },
  { name: "another machine with an empty environment", before: otherMachine, command: () => `env -i ${tcp(other)}` },
  {
    name: "another machine by an IPv4 address in an IPv6 one",
    before: otherMachine,
    command: () => tcp(`::ffff:${other}`),
  },
  { name: "another machine by an address in other numbers", before: otherMachine, command: () => tcp("0x7f.77.1") },
  { name: "another machine over UDP", before: answerDatagrams, command: udp },
  {
    name: "another machine from a network of the command's own",
    before: otherMachine,
    command: () => `unshare -Urn ${tcp(other)} || ${tcp(other)}`,
  },
  {
    name: "another machine through the network of the process that started it",
    roots: true,
    before: otherMachine,
    command: () => `nsenter --net=/proc/${process.pid}/ns/net ${tcp(other)}`,
  },
  {
    name: "raw sockets",
    roots: true,
    programs: [perl],
    command: () => perlCommand(`socket(S, 2, 3, 1) or die $!; print "reached\\n"`),
  },
  {
    name: "packets below IP",
    roots: true,
    programs: [perl],
    command: () => perlCommand(`socket(S, 17, 3, 0x300) or die $!; print "reached\\n"`),
  },
  {
    name: "a Unix socket without a path",
    programs: [perl],
    before: () => serve({ path: `\0${abstractName}` }),
    command: () =>
      perlCommand(`socket(S, 1, 1, 0); connect(S, pack("S a*", 1, "\\0${abstractName}")) or die $!; print scalar <S>`),
  },
  {
    name: "a service of this machine that leads on from it",
    before: async () => {
      const close = await serve({ host: "127.0.0.1" })
      closedPorts.add(port)
      return close
    },
    command: () => tcp("127.0.0.1"),
  },
]
