import type { NodeFileCall } from './node-files.ts'

/** The paths of a node's agent: `{id}` is a server, `{upload}` an upload in parts, `{call}` a row of `NODE_FILE_CALLS`. */
export const AGENT_PATHS = {
  /** Answers any browser of the site at once, without a body: the time it takes is the ping. */
  ping: '/ping',
  socket: '/servers/{id}/ws',
  archive: '/servers/{id}/archive',
  ports: '/servers/{id}/ports',
  download: '/servers/{id}/download',
  files: '/servers/{id}/files',
  call: '/servers/{id}/files/{call}',
  content: '/servers/{id}/files/content',
  uploads: '/servers/{id}/files/uploads',
  upload: '/servers/{id}/files/uploads/{upload}',
} as const

/** The path of one server at its node. */
export const agentPath = (which: 'socket' | 'archive' | 'ports' | 'download' | 'files', serverId: string): string =>
  AGENT_PATHS[which].replace('{id}', serverId)

const below = (path: string): string => path.slice(AGENT_PATHS.files.length)

/** The paths below the one that the site gives with a token of the purpose `files`. */
export const BELOW_FILES = {
  call: (call: NodeFileCall): string => below(AGENT_PATHS.call).replace('{call}', call),
  content: (path: string): string => `${below(AGENT_PATHS.content)}?path=${encodeURIComponent(path)}`,
  version: (path: string, version: string): string =>
    `${BELOW_FILES.content(path)}&version=${encodeURIComponent(version)}`,
  uploads: below(AGENT_PATHS.uploads),
} as const

/** The address at which a browser of the site measures its ping to a node. */
export const pingUrlOf = (nodeUrl: string): string => new URL(AGENT_PATHS.ping, nodeUrl).href
