/** A way for a process to detach. `$S` is the remaining process: `sleep` with a unique number. */
export interface Way {
  readonly name: string
  readonly command: string
  /** Leaves group, session and mark: without a sandbox it cannot be recognized. */
  readonly sheds?: true
  /** Required programs. */
  readonly needs?: readonly string[]
}

const popen = (how: string) =>
  `python3 -c 'import subprocess, sys; subprocess.Popen(sys.argv[1:], stdin=-3, stdout=-3, stderr=-3, ${how})' $S`

export const ways: readonly Way[] = [
  { name: "in the background", command: "$S &" },
  { name: "nohup", command: "nohup $S >/dev/null 2>&1 &" },
  { name: "disowned", command: "$S & disown -h" },
  { name: "a subshell that ends", command: "($S &)" },
  { name: "two subshells that end", command: "( ($S &) & )" },
  { name: "coproc", command: "coproc $S" },
  { name: "job control: a group of its own", command: "set -m; $S &" },
  { name: "an interactive shell", command: 'bash --norc -ic "$S & disown"', needs: ["bash"] },
  { name: "deaf to TERM, HUP and INT", command: "(trap '' TERM HUP INT; $S) &" },
  { name: "a trap at the exit", command: "bash -c \"trap '$S' EXIT\" &" },
  { name: "behind a pipe", command: "$S | cat &" },
  { name: "a pipe that is kept", command: "exec 7< <($S)" },
  { name: "a loop that starts it again", command: "(while :; do $S; done) &" },
  { name: "stopped", command: "$S & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!" },
  { name: "under another name", command: "(exec -a init $S) &" },
  { name: "with no descriptors", command: "$S <&- >&- 2>&- &" },
  { name: "by xargs", command: "echo ${S#sleep } | xargs sleep &", needs: ["xargs"] },
  { name: "by timeout, in its own group", command: "timeout 900 $S &", needs: ["timeout"] },
  { name: "an empty environment", command: "env -i $S &" },
  { name: "an empty environment and a group of its own", command: "set -m; env -i $S &" },
  { name: "setsid", command: "setsid $S &", needs: ["setsid"] },
  { name: "nohup setsid with no descriptors", command: "nohup setsid $S <&- >/dev/null 2>&1 &", needs: ["setsid"] },
  { name: "a session that starts it again", command: 'setsid bash -c "while :; do $S; done" &', needs: ["setsid"] },
  { name: "two that fork and a session", command: '(setsid bash -c "$S & exit" &)', needs: ["setsid"] },
  { name: "python, a session", command: popen("start_new_session=True"), needs: ["python3"] },
  {
    name: "perl, as a daemon",
    command: `perl -MPOSIX -e 'fork && exit; POSIX::setsid(); fork && exit; chdir "/"; exec @ARGV' $S`,
    needs: ["perl"],
  },
  {
    name: "node, detached",
    command: `node -e 'const [p, ...a] = process.argv.slice(1); require("child_process").spawn(p, a, { detached: true, stdio: "ignore" }).unref()' $S`,
    needs: ["node"],
  },
  { name: "an empty environment and a session", command: "env -i setsid $S &", sheds: true, needs: ["setsid"] },
  { name: "without the mark, a session", command: "env -u GONG_JOB setsid -f $S", sheds: true, needs: ["setsid"] },
  {
    name: "python, an empty environment and a session",
    command: popen("start_new_session=True, env={}"),
    sheds: true,
    needs: ["python3"],
  },
]
