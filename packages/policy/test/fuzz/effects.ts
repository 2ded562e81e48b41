/**
 * Parses the strace output of a batch. A command is read-only if it opens nothing for writing except devices without storage,
 * changes no name, mode or time, opens no connection, and starts only system programs that are known to be read-only.
 */
export function* effectsIn(log: string, world: string): Generator<{ readonly index: number; readonly what: string }> {
  let index = -1
  const begun = new Map<string, string>()
  for (const line of log.split("\n")) {
    const [, pid = "", text = ""] = /^(\d+) +(.*)$/.exec(line) ?? []
    const call = joined(begun, pid, text)
    const marked = /^openat\(AT_FDCWD, "\/batch\/(\d+)"/.exec(call)?.[1]
    if (marked !== undefined) index = Number(marked)
    // Before the first mark there is only the shell that runs them.
    else if (index >= 0 && isEffect(call)) yield { index, what: call.replaceAll(world, "").slice(0, 200) }
  }
}

/** A call whose line another process has cut in two. */
function joined(begun: Map<string, string>, pid: string, text: string): string {
  const [, head] = /^(.*) <unfinished \.\.\.>$/.exec(text) ?? []
  if (head !== undefined) begun.set(pid, head)
  const [, tail] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? []
  return tail === undefined ? (head ?? text) : `${begun.get(pid) ?? ""}${tail}`
}

const changing =
  /^(?:creat|rename|link|symlink|unlink|mkdir|rmdir|mknod|chmod|fchmod|chown|lchown|fchown|truncate|ftruncate|utime|futimes|setxattr|lsetxattr|removexattr|lremovexattr|mount|umount|pivot_root|chroot|swapon|acct|connect|bind|sendto|sendmsg)\w*\(/

function isEffect(call: string): boolean {
  // The name service asks its cache, which is not there.
  if (/^connect\(\d+, \{sa_family=AF_UNIX, sun_path="\/var\/run\/nscd\//.test(call)) return false
  if (changing.test(call)) return true
  if (/^open(?:at2?)?\(/.test(call))
    return /O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(call) && !/"\/dev\/(?:null|full|tty)"/.test(call)
  const [, program] = /^execve(?:at)?\("([^"]*)".* = 0\s*$/.exec(call) ?? []
  return program !== undefined && !isReader(program)
}

const programs =
  "ls cat tac rev fold column comm paste od md5sum sha1sum sha256sum nproc df egrep fgrep head tail wc rg git grep egrep fgrep find sort uniq cut tr nl sed diff cmp stat file du basename dirname realpath readlink which date whoami uname printf test [ echo pwd true false timeout time nice id hostname tree jq base64 expr numfmt seq more whereis"
const readers = new Set(programs.split(" "))

function isReader(program: string): boolean {
  const [, name] = /^(?:\/usr\/local\/bin|\/usr\/bin|\/bin|.*ripgrep-linux-x64\/bin)\/([^/]+)$/.exec(program) ?? []
  return name === undefined ? program.startsWith("/usr/lib/git-core/") : readers.has(name)
}
