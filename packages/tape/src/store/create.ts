import { phrase } from "@gong/spec"
import { type InfoOptions, infoOf, mustBeId, newInfo, writeInfo } from "./info.ts"
import { anchorsFolder, artifactsFolder, lockFile } from "./layout.ts"
import { linesFor } from "./read/lines.ts"
import { describeHolder, takeLock } from "./lock/lock.ts"
import { tapeSyncs } from "./write/ancestor-syncs.ts"
import { storageError, storageFailure } from "./storage.ts"
import { type FileStore, type StorePorts, fileStoreOf, syncModeOf } from "./store.ts"
import { writerOf } from "./write/writer.ts"

export interface CreateOptions extends InfoOptions {
  /** The folder of the tapes; created when missing. */
  readonly sessions: string
  /** Default: a new one. */
  readonly id?: string
  readonly spillFolder?: string
}

/** Creates an empty tape in its own folder. It counts as a tape as soon as its `tape.json` exists. */
export function createStore(ports: StorePorts, options: CreateOptions): FileStore {
  const id = options.id ?? ports.ids.tape()
  mustBeId(id)
  const path = `${options.sessions}/${id}`
  try {
    return create(ports, path, id, options)
  } catch (error) {
    throw storageError(phrase`make a session in ${options.sessions}`, error)
  }
}

/** Creates the tape `id` in the folder `path`, which may have a temporary name. */
export function create(
  ports: StorePorts,
  path: string,
  id: string,
  options: Omit<CreateOptions, "sessions">,
): FileStore {
  const { disk } = ports
  disk.mkdir(anchorsFolder(path))
  const locked = takeLock(ports, lockFile(path))
  if ("holder" in locked) throw storageFailure(phrase`Session ${id} is ${describeHolder(ports, locked.holder)}.`)
  try {
    if (infoOf(disk, path) !== null) throw storageFailure(phrase`Session ${id} is there already.`)
    const info = newInfo(ports, id, options)
    writeInfo(disk, path, info, { sync: false })
    return fileStoreOf(ports, {
      path,
      info,
      lines: linesFor(0),
      anchors: [],
      damage: [],
      writer: writerOf(disk, {
        tape: path,
        last: null,
        ancestorSyncs: () => tapeSyncs(disk, path),
        syncMode: syncModeOf(ports),
      }),
      lock: locked,
      holder: null,
      readOnly: null,
      spillFolder: options.spillFolder ?? artifactsFolder(path),
    })
  } catch (error) {
    locked.release()
    throw error
  }
}
