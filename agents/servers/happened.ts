import type { NoteLine } from '../console/notes.ts'
import type { ServerCore } from './server-core.ts'

type Happening = {
  readonly type: string
  readonly notes: readonly NoteLine[]
  /** The last lines of the program before its crash. */
  readonly lines?: readonly string[]
}

/** Reports an event of the server as an activity that no person did. */
export const happened = (core: ServerCore, { type, notes, lines = [] }: Happening): void =>
  core.deps.emit({
    kind: 'activity',
    serverId: core.id,
    userId: null,
    type,
    detail: notes.map(({ text }) => text).join(' '),
    notes: notes.flatMap(({ note }) => (note === undefined ? [] : [note])),
    ...(lines.length > 0 ? { lines: [...lines] } : {}),
  })
