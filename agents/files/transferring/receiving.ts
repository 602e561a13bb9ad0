import { nameOf, partsOfPath } from '#contracts/panel/file-path.ts'
import type { ArchiveEntry } from '../archives/archive-entry.ts'
import type { EntryPlace } from '../archives/entry-place.ts'
import { LeftOutList } from '../archives/left-out-list.ts'
import { tarEntries } from '../archives/tar-entries.ts'
import { BLOCK_BYTES } from '../archives/unpack-bounds.ts'
import { unpackEntries } from '../archives/unpack-entries.ts'
import { FileFailure, isDiskError } from '../file-failure.ts'
import type { Room } from '../growth-bound.ts'
import type { JobDeps } from '../job-work.ts'
import { refuseTaken, type Journalled } from '../placing.ts'
import type { TakenNames, Wish } from '../taken-names.ts'
import { MAX_REPORT_BYTES, REPORT_NAME, TransferReport, type Received } from './transfer-wire.ts'

/** One thing that arrives. */
export interface Arriving extends Wish {
  /** Its new path, if nothing has it. */
  readonly path: string
  /** As its sender has measured it. */
  readonly bytes: number
  /** Whether it leaves its old place afterwards, so that the disk must have it first. */
  readonly isMove: boolean
}

/** A name that is written here as its sender has it, and in no other way. */
const placeOf = (name: string): EntryPlace => {
  const parts = partsOfPath(name.replace(/\/$/, ''))
  return parts === undefined ? { is: 'left out', why: 'name' } : { is: 'place', parts }
}

const readReport = async (entry: ArchiveEntry): Promise<TransferReport> => {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of entry.content()) {
    bytes += piece.length
    if (bytes > MAX_REPORT_BYTES) throw new FileFailure('INTERNAL')
    pieces.push(piece)
  }
  return TransferReport.parse(JSON.parse(Buffer.concat(pieces).toString()))
}

/** The things of the stream, without the report at its end. Throws `BUSY` if there is none: the stream was cut. */
async function* thingsOf(entries: AsyncIterable<ArchiveEntry>, leftOut: LeftOutList): AsyncGenerator<ArchiveEntry> {
  let isWhole = false
  for await (const entry of entries) {
    if (entry.name !== REPORT_NAME) yield entry
    else {
      leftOut.addAll(await readReport(entry))
      isWhole = true
    }
  }
  if (!isWhole) throw new FileFailure('BUSY')
}

interface ReceivingDeps extends JobDeps {
  readonly takenNames: TakenNames
}

/** Receives things from another server. Each appears when it is complete; what it replaces goes to the bin. */
export class Receiving {
  readonly #deps: ReceivingDeps

  constructor(deps: ReceivingDeps) {
    this.#deps = deps
  }

  /** Resolves with the path and what was left out. */
  receive(arriving: Arriving, tar: AsyncIterable<Uint8Array>): Promise<Received> {
    return this.#deps.growth.within((room) => this.#receive(arriving, tar, room))
  }

  async #receive(arriving: Arriving, tar: AsyncIterable<Uint8Array>, room: Room): Promise<Received> {
    const { root, area, ids, faults } = this.#deps
    const { path, bytes, isMove } = arriving
    // Before anything is written; the kernel decides once more at the end.
    if (arriving.taken === 'refuse') await root.atPlace(path, refuseTaken)
    room.refuse(bytes)
    const part = Buffer.from(ids.next())
    const leftOut = new LeftOutList()
    const bounds = { entry: () => room.grow(BLOCK_BYTES), stored: room.grow }
    await area.parts.makeFolder(part, 0o700)
    try {
      const placed = await area.parts.within(part, async (own) => {
        const things = thingsOf(tarEntries(tar), leftOut)
        await unpackEntries(things, own, { bounds, leftOut, placeOf, isDurable: isMove }).catch(throwOwn)
        await faults('receive.complete')
        const name = Buffer.from(nameOf(path))
        // The thing itself could not be read.
        await own.look(name).catch(() => {
          throw new FileFailure('NOT_A_FILE')
        })
        return this.#place({ folder: own, name, at: `/parts/${part.toString()}/${nameOf(path)}` }, arriving)
      })
      return { ...leftOut.report, path: placed.path }
    } finally {
      await area.parts.removeAll(part)
    }
  }

  #place(arrived: Journalled, { path, isMove, ...wish }: Arriving): Promise<{ path: string }> {
    const { root, placing, takenNames } = this.#deps
    return takenNames.place(path, wish, (at) =>
      root.atPlace(at, async (target) => {
        await placing.alone(() => placing.place(arrived, { ...target, at }))
        // The two servers may lie on different disks, and the other one deletes it next.
        if (isMove) await target.folder.sync()
      }),
    )
  }
}

/** The parser's complaint about a stream that ended too early does not matter: it can be sent again. */
const throwOwn = (error: unknown): never => {
  throw error instanceof FileFailure || isDiskError(error) ? error : new FileFailure('BUSY')
}
