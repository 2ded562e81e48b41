/** The thread starts with an empty environment. */
export function setEnvironment(env: Readonly<Record<string, string>>): void {
  Object.assign(process.env, env)
}

/** Reports which variables are read, until stopped; null: all were read. */
export function watchEnvironment(looked: (name: string | null, value: string | undefined) => void): () => void {
  const { env } = process
  const told = (name: string | symbol): void => {
    if (typeof name === "string") looked(name, env[name])
  }
  const watched = new Proxy(env, {
    get: (_, name) => (told(name), Reflect.get(env, name)),
    has: (_, name) => (told(name), Reflect.has(env, name)),
    getOwnPropertyDescriptor: (_, name) => (told(name), Reflect.getOwnPropertyDescriptor(env, name)),
    ownKeys: () => (looked(null, undefined), Reflect.ownKeys(env)),
  })
  process.env = watched
  return () => {
    if (process.env === watched) process.env = env
  }
}
