import { type Attack, perl, perlCommand } from "./cases.ts"

const programs = [perl]
/** A System V key, unique per test process. */
const key = 0x60000000 + process.pid

/** System call numbers without a Perl function. */
const numbers = {
  x64: { mq_open: 240, mq_unlink: 241, add_key: 248, keyctl: 250, io_uring_setup: 425, mknodat: 259 },
  arm64: { mq_open: 180, mq_unlink: 181, add_key: 217, keyctl: 219, io_uring_setup: 425, mknodat: 33 },
}[process.arch === "arm64" ? "arm64" : "x64"]

const names = `$t = "user"; $n = "gong-${process.pid}"`
/** In the user's keyring. */
const search = `$id = syscall(${numbers.keyctl}, 10, -4, $t, $n, 0)`

/** Kernel objects shared by processes, and system calls refused by the filter. */
export const ipcAttacks: readonly Attack[] = [
  {
    name: "System V shared memory",
    programs,
    before: async (here) => {
      await here.outside(perlCommand(`$id = shmget(${key}, 64, 01600); shmwrite($id, "reached", 0, 7)`))
      return () => here.outside(perlCommand(`shmctl(shmget(${key}, 64, 0), 0, 0)`))
    },
    command: () => perlCommand(`$id = shmget(${key}, 64, 0) // die $!; shmread($id, $text, 0, 7); print "$text\\n"`),
  },
  {
    name: "System V semaphores",
    programs,
    before: async (here) => {
      await here.outside(perlCommand(`semget(${key}, 1, 01600)`))
      return () => here.outside(perlCommand(`semctl(semget(${key}, 1, 0), 0, 0, 0)`))
    },
    command: () => perlCommand(`semget(${key}, 1, 0) // die $!; print "reached\\n"`),
  },
  {
    name: "System V messages",
    programs,
    before: async (here) => {
      await here.outside(perlCommand(`$id = msgget(${key}, 01600); msgsnd($id, pack("l! a*", 1, "reached"), 0)`))
      return () => here.outside(perlCommand(`msgctl(msgget(${key}, 0), 0, 0)`))
    },
    command: () => perlCommand(`msgget(${key}, 0) // die $!; print "reached\\n"`),
  },
  {
    name: "POSIX message queues",
    programs,
    before: async (here) => {
      const name = `gong-${process.pid}`
      await here.outside(perlCommand(`$n = "${name}"; syscall(${numbers.mq_open}, $n, 0102, 0600, 0) >= 0 or die $!`))
      return () => here.outside(perlCommand(`$n = "${name}"; syscall(${numbers.mq_unlink}, $n)`))
    },
    command: () =>
      perlCommand(
        `$n = "gong-${process.pid}"; syscall(${numbers.mq_open}, $n, 0, 0, 0) >= 0 or die $!; print "reached\\n"`,
      ),
  },
  {
    name: "a key in the user's keyring",
    filtered: true,
    programs,
    before: async (here) => {
      await here.outside(
        perlCommand(`${names}; $v = "reached"; syscall(${numbers.add_key}, $t, $n, $v, 7, -4) > 0 or die $!`),
      )
      return () => here.outside(perlCommand(`${names}; ${search}; syscall(${numbers.keyctl}, 9, $id, -4)`))
    },
    command: () =>
      perlCommand(
        `${names}; ${search}; $id > 0 or die $!; ` +
          `$text = "x" x 7; syscall(${numbers.keyctl}, 11, $id, $text, 7); print "$text\\n"`,
      ),
  },
  {
    name: "io_uring, whose operations no filter sees",
    filtered: true,
    programs,
    // Any other error comes from checking the arguments.
    command: () => perlCommand(`syscall(${numbers.io_uring_setup}, 0, 0); print $!{ENOSYS} ? "no\\n" : "reached\\n"`),
  },
  {
    name: "sockets to the machine that a virtual machine runs on",
    filtered: true,
    programs: [perl, "/dev/vsock"],
    command: () =>
      perlCommand(`use Socket; print socket(S, 40, SOCK_STREAM, 0) || !$!{EAFNOSUPPORT} ? "reached\\n" : "no\\n"`),
  },
  {
    name: "input for a terminal",
    filtered: true,
    programs: [perl, "/usr/bin/script"],
    // If the kernel refuses it to everyone the error is EIO.
    command: () => {
      const push = `$c = "x"; print ioctl(STDIN, 0x5412, $c) || $!{EIO} ? "\\nreached\\n" : "\\nno: $!\\n"`
      return `echo ${Buffer.from(push).toString("base64")} | base64 -d > push; script -qec '${perl} push' /dev/null </dev/null | tr -d '\\r'`
    },
  },
]

/** Each tries to create a file `left` with a setuid bit. */
const ways: Readonly<Record<string, string>> = {
  chmod: "cp /bin/true left && chmod u+s left",
  "chmod with all bits": "cp /bin/true left && chmod 6755 left",
  install: "install -m 4755 /bin/true left",
  "open with a mode": perlCommand(`use Fcntl; sysopen(F, "left", O_CREAT|O_WRONLY, 04755)`),
  mknod: perlCommand(`$n = "left"; syscall(${numbers.mknodat}, -100, $n, 0104755, 0)`),
  "a copy with its mode": "cp -p given left",
  "an archive": "mkdir o && tar xpf given.tar -C o; mv o/given left",
  "Node's chmod": "node -e 'fs.writeFileSync(`left`, ``); fs.chmodSync(`left`, 0o4755)'",
}

/** A setuid file left by a command would run with its user's rights. */
export const setuidAttacks: readonly Attack[] = Object.entries(ways).map(([name, command]) => ({
  name: `a setuid bit that stays, by ${name}`,
  filtered: true,
  before: async (here) => {
    await here.outside("cp /bin/true given && chmod 4755 given && tar cpf given.tar given")
    return () => undefined
  },
  command: () => `rm -rf left o; ${command}; [ -u left ] && echo reached`,
}))
