/** The thread starts with an empty environment. */
export function setEnvironment(env: Readonly<Record<string, string>>): void {
  Object.assign(process.env, env)
}

/** Reports which variables are read, until stopped; null: all were read. */
export function watchEnvironment(onRead: (name: string | null, value: string | undefined) => void): () => void {
  const { env } = process
  const report = (name: string | symbol): void => {
    if (typeof name === "string") onRead(name, env[name])
  }
  const watched = new Proxy(env, {
    get: (_, name) => (report(name), Reflect.get(env, name)),
    has: (_, name) => (report(name), Reflect.has(env, name)),
    getOwnPropertyDescriptor: (_, name) => (report(name), Reflect.getOwnPropertyDescriptor(env, name)),
    ownKeys: () => (onRead(null, undefined), Reflect.ownKeys(env)),
  })
  process.env = watched
  return () => {
    if (process.env === watched) process.env = env
  }
}
