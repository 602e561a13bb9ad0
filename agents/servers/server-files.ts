import type { ServerSpec } from '#contracts/agent/server-spec.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../platform/disk.ts'
import type { FaultPoint } from '../platform/fault-point.ts'
import type { Log } from '#platform/logger.ts'
import { layoutOf, serversFolder, type ServerLayout } from './layout.ts'
import {
  newRecord,
  readIdentity,
  readRecord,
  refuseNewerFiles,
  writeIdentity,
  writeRecord,
  type ServerIdentity,
  type ServerRecord,
} from './state-file.ts'

export interface ServerFilesDeps {
  readonly disk: Disk
  readonly clock: Clock
  readonly log: Log
  readonly faults: FaultPoint
  readonly dataFolder: string
  readonly uidBase: number
  /** Owner of a folder, or undefined when there is none. */
  ownerOf(folder: string): number | undefined
}

/** A server as the disk knows it. */
export interface StoredServer {
  readonly identity: ServerIdentity
  readonly layout: ServerLayout
  readonly record: ServerRecord
}

const IDENTIFIER = /^[a-z0-9]{1,32}$/
const DELETING = '.deleting-'

/** The folders of servers under `<data>/servers`: finds, creates and removes them, and gives each its own user. */
export class ServerFiles {
  readonly #deps: ServerFilesDeps
  /** Sentences about damaged files. */
  readonly reports: string[] = []

  constructor(deps: ServerFilesDeps) {
    this.#deps = deps
  }

  /**
   * Reads every server. Damaged files are reported and rebuilt as far as possible. Throws STATE_NEWER, before anything
   * is changed, when a newer agent has written here.
   */
  readAll(): StoredServer[] {
    const { disk, dataFolder, clock } = this.#deps
    const folder = serversFolder(dataFolder)
    disk.makeFolder(folder, 0o711)
    const layouts = this.#identifiers().map((identifier) => ({ identifier, layout: layoutOf(dataFolder, identifier) }))
    for (const { layout } of layouts) refuseNewerFiles(disk, layout)
    const readings = layouts.map((found) => ({ ...found, reading: readRecord(disk, found.layout, clock.now()) }))
    for (const name of disk.list(folder).filter((entry) => entry.startsWith(DELETING))) disk.remove(`${folder}/${name}`)
    return readings.flatMap(({ identifier, layout, reading }): StoredServer[] => {
      const read = reading.is === 'read' ? reading.record : undefined
      const identity = readIdentity(disk, layout) ?? this.#rebuildIdentity(identifier, layout, read)
      if (identity === undefined) return []
      if (reading.is === 'corrupt') {
        this.reports.push(`The record of server ${identifier} was damaged and is built again.`)
        this.#deps.log.error({ serverId: identity.id, kept: reading.kept }, 'server record rebuilt')
      }
      return [{ identity, layout, record: read ?? newRecord(null, clock.now()) }]
    })
  }

  /** Creates the folders of a new server. A creation that a crash interrupted is completed. */
  async create(spec: ServerSpec): Promise<StoredServer> {
    const { disk, clock, dataFolder, faults } = this.#deps
    const layout = layoutOf(dataFolder, spec.identifier)
    const uid = this.#deps.ownerOf(layout.root) ?? this.#freeUid()
    disk.makeFolder(layout.base, 0o711)
    disk.makeFolder(layout.state, 0o700)
    disk.makeFolder(layout.console, 0o700)
    await faults('create.folders')
    const identity: ServerIdentity = { version: 1, id: spec.id, identifier: spec.identifier, uid }
    writeIdentity(disk, layout, identity)
    await faults('create.identity')
    const record = newRecord(spec, clock.now())
    writeRecord(disk, layout, record)
    return { identity, layout, record }
  }

  /** Renamed first, so that after a crash a partial folder is never taken for a server. */
  async remove(serverId: string, layout: ServerLayout): Promise<void> {
    const { disk, dataFolder, faults } = this.#deps
    const doomed = `${serversFolder(dataFolder)}/${DELETING}${serverId}`
    if (!this.isGone(layout)) disk.rename(layout.base, doomed)
    await faults('delete.renamed')
    disk.remove(doomed)
  }

  isGone(layout: ServerLayout): boolean {
    return this.#deps.disk.list(layout.base).length === 0
  }

  #identifiers(): string[] {
    const { disk, dataFolder } = this.#deps
    return disk.list(serversFolder(dataFolder)).filter((name) => IDENTIFIER.test(name))
  }

  /** Rebuilds a damaged identity file from the server's record. A folder without a readable record is left alone. */
  #rebuildIdentity(identifier: string, layout: ServerLayout, record?: ServerRecord): ServerIdentity | undefined {
    const spec = record?.spec ?? undefined
    if (spec === undefined || spec.identifier !== identifier) {
      this.reports.push(`The folder of server ${identifier} has no readable identity and is left alone.`)
      this.#deps.log.error({ identifier }, 'server without identity')
      return undefined
    }
    const uid = this.#deps.ownerOf(layout.root) ?? this.#freeUid()
    const identity: ServerIdentity = { version: 1, id: spec.id, identifier, uid }
    writeIdentity(this.#deps.disk, layout, identity)
    this.reports.push(`The identity of server ${identifier} was damaged and is built again.`)
    return identity
  }

  /** A user that owns nothing here, not even in an unreadable folder. */
  #freeUid(): number {
    const { disk, dataFolder, uidBase, ownerOf } = this.#deps
    const taken = new Set(
      this.#identifiers().flatMap((identifier) => {
        const layout = layoutOf(dataFolder, identifier)
        return [readIdentity(disk, layout)?.uid, ownerOf(layout.root)]
      }),
    )
    let uid = uidBase
    while (taken.has(uid)) uid += 1
    return uid
  }
}
