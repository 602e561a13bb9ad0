import { isUtf8 } from 'node:buffer'
import { partsOfPath } from '#contracts/panel/file-path.ts'
import type { FolderEntry } from '../../archive/folder-entries.ts'
import { paddingOf, TAR_END, tarHeader } from '../../archive/tar-header.ts'
import { firstBytes } from '../archives/first-bytes.ts'
import { LeftOutList } from '../archives/left-out-list.ts'
import type { Bin } from '../bin.ts'
import { bytesOf } from '../copying.ts'
import { FileFailure } from '../file-failure.ts'
import type { Place, ServerRoot } from '../server-root.ts'
import { REPORT_NAME } from './transfer-wire.ts'
import { markOf, TreeMark, treeOf } from './tree-mark.ts'

const REPORT_MODE = 0o600

interface SendingDeps {
  readonly root: ServerRoot
  readonly bin: Bin
}

/** The record of a tar that is on its way. */
interface Sent {
  readonly mark: TreeMark
  readonly leftOut: LeftOutList
}

type Entry = Extract<FolderEntry, { is: 'entry' }>

/** Nothing else can be made on the other server by its calls. */
const isPathName = (name: Buffer): boolean =>
  isUtf8(name) && partsOfPath(name.toString().replace(/\/$/, '')) !== undefined

/** One file with exactly as many bytes as its header says. Throws `CHANGED` for a file that shrank meanwhile. */
async function* fileOf({ entry, open }: Entry, leftOut: LeftOutList): AsyncGenerator<Buffer> {
  const file = await open().catch(() => undefined)
  if (file === undefined) return leftOut.add(entry.name.toString(), 'unreadable')
  yield tarHeader(entry)
  let bytes = 0
  for await (const piece of firstBytes(file, entry.size)) {
    bytes += piece.length
    yield piece
  }
  if (bytes < entry.size) throw new FileFailure('CHANGED')
  yield Buffer.alloc(paddingOf(entry.size))
}

async function* tarOf(place: Place, { mark, leftOut }: Sent): AsyncGenerator<Buffer> {
  for await (const found of treeOf(place)) {
    mark.add(found)
    const name = found.is === 'entry' ? found.entry.name : found.name
    if (found.is === 'left out') leftOut.add(name.toString(), found.why)
    else if (!isPathName(name)) leftOut.add(name.toString(), 'name')
    else if (found.entry.type === 'symlink') leftOut.add(name.toString(), 'link')
    else if (found.entry.type === 'directory') yield tarHeader(found.entry)
    else yield* fileOf(found, leftOut)
  }
  const report = Buffer.from(JSON.stringify(leftOut.report))
  const facts = { type: 'file', size: report.length, mode: REPORT_MODE, mtimeSeconds: 0 } as const
  yield Buffer.concat([tarHeader({ name: Buffer.from(REPORT_NAME), ...facts }), report])
  yield Buffer.concat([Buffer.alloc(paddingOf(report.length)), TAR_END])
}

/** Gives things of a server to another one: sends them, and deletes what has arrived if it is to leave. */
export class Sending {
  readonly #deps: SendingDeps

  constructor(deps: SendingDeps) {
    this.#deps = deps
  }

  /** The bytes of each thing; 0 for one that will be refused. */
  async measure(paths: readonly string[]): Promise<number[]> {
    const sizes: number[] = []
    for (const path of paths) sizes.push(await this.#deps.root.atPlace(path, bytesOf).catch(() => 0))
    return sizes
  }

  /** Runs with the thing as a tar whose last entry says what was left out, and with its mark, which is complete at the end. */
  send(path: string, run: (tar: AsyncIterable<Buffer>, mark: TreeMark) => Promise<void>): Promise<void> {
    return this.#deps.root.atPlace(path, async (place) => {
      const stats = await place.folder.look(place.name)
      if (stats.isSymbolicLink()) throw new FileFailure('LINK_REFUSED')
      if (!stats.isDirectory() && !stats.isFile()) throw new FileFailure('NOT_A_FILE')
      const sent = { mark: new TreeMark(), leftOut: new LeftOutList() }
      await run(tarOf(place, sent), sent.mark)
    })
  }

  /** Deletes the thing for good if it is still as it was sent. False: it has changed since, and stays. */
  leave(path: string, mark: string): Promise<boolean> {
    const { root, bin } = this.#deps
    const isSame = async (place: Place): Promise<boolean> => (await markOf(place)) === mark
    return root.atPlace(path, isSame).then((isIt) => isIt && bin.removeIf(path, isSame))
  }
}
