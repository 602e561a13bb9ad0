import type { ServerActivity } from '#contracts/http/panel/server-activity.ts'
import { folderOf, partsOfPath } from '#contracts/panel/file-path.ts'
import type { Permission } from '#contracts/panel/permissions.ts'

type Placed = Pick<ServerActivity, 'type' | 'group' | 'detail' | 'missing'>

const FILE_IS_THERE = /^server:(?:file\.(?:write|uploaded|create|pull|restore)|sftp\.(?:create|write))$/
const FOLDER_IS_THERE = /^server:(?:file|sftp)\.create-directory$/

/** The path that an entry ends at: behind the arrow of a move, in front of the one of an arrival, without additions. */
const pathIn = ({ type, detail }: Placed): string => {
  const plain = detail.replace(/ \((?:\+\d+|[0-7]{3,4})\)$/, '').replace(/^\//, '')
  if (/\.(?:pull|arrive)$/.test(type)) return plain.split(' ← ')[0] ?? ''
  if (/\.(?:rename|copy)$/.test(type)) return plain.split(' → ').at(-1) ?? ''
  if (/\.(?:move|copy)-to$/.test(type)) return plain.split(' → ')[0] ?? ''
  return plain
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const fileAddress = (panel: string, entry: Placed, may: (permission: Permission) => boolean): string => {
  const path = pathIn(entry)
  if (path === '' || path === '*' || partsOfPath(path) === undefined) return `${panel}/files`
  if (FILE_IS_THERE.test(entry.type) && may('file.read')) return `${panel}/edit/${encoded(path)}`
  const folder = FOLDER_IS_THERE.test(entry.type) ? path : folderOf(path)
  return folder === '' ? `${panel}/files` : `${panel}/files?path=${encodeURIComponent(folder)}`
}

/** The page of the panel that an entry is about; null without one, or if the reader may not see it. */
export const placeOfEntry = (serverId: string, entry: Placed, permissions: readonly Permission[]): string | null => {
  const panel = `/panel/${encodeURIComponent(serverId)}`
  const may = (permission: Permission) => permissions.includes(permission)
  if (entry.missing !== null) return null
  switch (entry.group) {
    case 'files':
      if (/\bsftp\.(?:denied|fail)$/.test(entry.type)) return null
      return may('file.list') ? fileAddress(panel, entry, may) : null
    case 'console':
    case 'state':
      return may('console.read') ? `${panel}/console` : null
    case 'contract':
      return `${panel}/settings`
    default:
      return null
  }
}
