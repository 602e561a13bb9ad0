import type { NoteLine } from '../console/notes.ts'
import type { ServerCore } from './server-core.ts'

/** Reports an event of the server as an activity that no person did. */
export const happened = (core: ServerCore, type: string, notes: readonly NoteLine[]): void =>
  core.deps.emit({
    kind: 'activity',
    serverId: core.id,
    userId: null,
    type,
    detail: notes.map(({ text }) => text).join(' '),
    notes: notes.flatMap(({ note }) => (note === undefined ? [] : [note])),
  })
