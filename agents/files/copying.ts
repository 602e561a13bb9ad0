import fs from 'node:fs/promises'
import { constants } from 'node:fs'
import { MAX_PATH_DEPTH } from '#contracts/panel/file-path.ts'
import type { IdSource } from '#platform/ids.ts'
import { FileFailure } from './file-failure.ts'
import type { FileFaultPoint } from './file-faults.ts'
import type { OwnArea } from './own-area.ts'
import { refuseTaken, type Placing } from './placing.ts'
import type { Place, ServerRoot } from './server-root.ts'
import { walk } from './walk.ts'

const PERMISSIONS = 0o777
const WRITABLE = 0o200
const BLOCK_BYTES = 512
const SLASH = '/'

interface CopyDeps {
  readonly root: ServerRoot
  readonly area: OwnArea
  readonly placing: Placing
  readonly ids: IdSource
  readonly faults: FileFaultPoint
}

const isInside = (path: string, folder: string): boolean => path.startsWith(folder + SLASH)

/** Bytes on the disk that a copy takes. */
const bytesOf = async ({ folder, name }: Place): Promise<number> => {
  const stats = await folder.look(name)
  if (!stats.isDirectory()) return stats.size
  return folder.within(name, async (inner) => {
    let bytes = 0
    for await (const { stats: each } of walk(inner)) bytes += each.isFile() ? each.size : each.blocks * BLOCK_BYTES
    return bytes
  })
}

/** A link is copied as a link. Sockets, pipes and devices belong to a running program, and are left out. */
const copyInto = async (source: Place, target: Place, depth = 0): Promise<void> => {
  const stats = await source.folder.look(source.name)
  if (stats.isDirectory()) {
    if (depth > MAX_PATH_DEPTH) throw new FileFailure('INVALID_PATH')
    await target.folder.makeFolder(target.name, (stats.mode & PERMISSIONS) | 0o700)
    const [from, into] = [await source.folder.folder(source.name), await target.folder.folder(target.name)]
    try {
      for await (const name of from.names()) {
        await copyInto({ folder: from, name }, { folder: into, name }, depth + 1)
      }
    } finally {
      await from.close()
      await into.close()
    }
  } else if (stats.isSymbolicLink()) {
    await target.folder.makeLink(target.name, await source.folder.readLink(source.name))
  } else if (stats.isFile()) {
    await copyFile(source, target)
  }
}

const copyFile = async (source: Place, { folder, name }: Place): Promise<void> => {
  const file = await source.folder.file(source.name)
  if (file === undefined) return
  try {
    const mode = (file.stats.mode & PERMISSIONS) | WRITABLE
    await (await folder.create(name, mode)).close()
    const address = Buffer.concat([Buffer.from(folder.address), Buffer.from(SLASH), name])
    // By the kernel, without passing through this program; on some disks the two then share their blocks.
    await fs.copyFile(`/proc/self/fd/${file.handle.fd}`, address, constants.COPYFILE_FICLONE)
    await fs.chmod(address, mode)
  } finally {
    await file.handle.close()
  }
}

/** Copies and moves within a server's folder. Neither ever replaces something, and a copy appears when it is complete. */
export class Copying {
  readonly #deps: CopyDeps

  constructor(deps: CopyDeps) {
    this.#deps = deps
  }

  async move(from: string, to: string): Promise<void> {
    const { root, placing } = this.#deps
    if (from === to) throw new FileFailure('ALREADY_EXISTS')
    if (isInside(to, from)) throw new FileFailure('INTO_ITSELF')
    await root.atPlace(from, (source) =>
      root.atPlace(to, (target) => placing.alone(() => placing.place({ ...source, at: from }, { ...target, at: to }))),
    )
  }

  /** `roomBytes` is what the copy may take at most. */
  async copy(from: string, to: string, roomBytes: number): Promise<void> {
    const { root, area, placing, ids, faults } = this.#deps
    if (from === to) throw new FileFailure('ALREADY_EXISTS')
    if (isInside(to, from)) throw new FileFailure('INTO_ITSELF')
    const part = Buffer.from(ids.next())
    // Before anything is copied; the kernel decides once more at the end.
    await root.atPlace(to, refuseTaken)
    await root.atPlace(from, async (source) => {
      if ((await bytesOf(source)) > roomBytes) throw new FileFailure('NO_SPACE')
      try {
        await copyInto(source, { folder: area.parts, name: part })
        await faults('copy.complete')
        const own = { folder: area.parts, name: part, at: `/parts/${part.toString()}` }
        await root.atPlace(to, (target) => placing.alone(() => placing.place(own, { ...target, at: to })))
      } finally {
        await area.parts.removeAll(part)
      }
    })
  }
}
