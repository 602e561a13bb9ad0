import { FileFailure } from '../files/file-failure.ts'
import type { ManagedServer } from '../servers/managed-server.ts'

/** The server if its files can be looked at. Throws `NOT_FOUND` for one that is not here, is leaving, or belongs to another node by now. */
export const presentServer = (server: ManagedServer | undefined): ManagedServer => {
  const { record, spec } = server?.core ?? {}
  if (server === undefined || !spec || record?.fencedAt !== null || record.state === 'deleting') {
    throw new FileFailure('NOT_FOUND')
  }
  return server
}
