/** Variables that lead to services of the login session, desktop or editor, by what they reach. */
const services: readonly { readonly reaches: string; readonly names: readonly string[] }[] = [
  {
    reaches: "agents that sign with the user's keys",
    names: ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "GNOME_KEYRING_CONTROL"],
  },
  {
    reaches: "message buses, over which programs are started",
    names: [
      "DBUS_SESSION_BUS_ADDRESS",
      "DBUS_SYSTEM_BUS_ADDRESS",
      "DBUS_STARTER_ADDRESS",
      "DBUS_STARTER_BUS_TYPE",
      "NOTIFY_SOCKET",
    ],
  },
  { reaches: "the folder in which most of these listen", names: ["XDG_RUNTIME_DIR"] },
  {
    reaches: "the user's screen and keyboard",
    names: [
      "DISPLAY",
      "XAUTHORITY",
      "WAYLAND_DISPLAY",
      "WAYLAND_SOCKET",
      "ICEAUTHORITY",
      "SESSION_MANAGER",
      "AT_SPI_BUS_ADDRESS",
    ],
  },
  {
    reaches: "window managers, which start programs",
    names: ["SWAYSOCK", "I3SOCK", "HYPRLAND_INSTANCE_SIGNATURE", "NIRI_SOCKET"],
  },
  {
    reaches: "terminals that can be typed into",
    names: [
      "TMUX",
      "TMUX_PANE",
      "STY",
      "ZELLIJ",
      "ZELLIJ_SESSION_NAME",
      "KITTY_LISTEN_ON",
      "WEZTERM_UNIX_SOCKET",
      "ALACRITTY_SOCKET",
    ],
  },
  {
    reaches: "editors, which run commands",
    names: [
      "VSCODE_IPC_HOOK",
      "VSCODE_IPC_HOOK_CLI",
      "VSCODE_IPC_HOOK_EXTHOST",
      "VSCODE_GIT_IPC_HANDLE",
      "VSCODE_GIT_IPC_AUTH_TOKEN",
      "NVIM",
      "NVIM_LISTEN_ADDRESS",
      "EMACS_SOCKET_NAME",
    ],
  },
  { reaches: "microphone and speakers", names: ["PULSE_SERVER", "PIPEWIRE_REMOTE"] },
  { reaches: "Windows, on which this Linux runs", names: ["WSL_INTEROP"] },
]

const removed: ReadonlySet<string> = new Set(services.flatMap(({ names }) => names))

/** Container daemons that are reached by a socket file or with the user's keys. */
const daemons: ReadonlySet<string> = new Set(["DOCKER_HOST", "CONTAINER_HOST"])

/** Variables with which the dynamic linker and the C library load code, into any program that receives them. */
const loading = /^(?:LD_|GLIBC_|GCONV_PATH$|LOCPATH$|NLSPATH$)/

/**
 * The environment of the programs that set up the sandbox, and the command that sets the rest of it inside: a variable that
 * loads code would load it outside the sandbox.
 */
export function setInside(
  env: Readonly<Record<string, string>>,
  command: readonly string[],
): { readonly env: Readonly<Record<string, string>>; readonly command: readonly string[] } {
  const inside = Object.entries(env).filter(([name]) => loading.test(name))
  if (inside.length === 0) return { env, command }
  return {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !loading.test(name))),
    command: ["/usr/bin/env", ...inside.map(([name, value]) => `${name}=${value}`), ...command],
  }
}

/** The environment of a sandboxed command. Names in `kept` stay. */
export function confinedEnvironment(
  env: Readonly<Record<string, string>>,
  kept: readonly string[],
): Readonly<Record<string, string>> {
  const leads = (name: string, value: string) =>
    removed.has(name) || (daemons.has(name) && /^(?:unix|ssh):/.test(value))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => kept.includes(name) || !leads(name, value)))
}
