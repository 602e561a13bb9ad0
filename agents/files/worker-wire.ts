/** How the agent and a worker of its own speak: HTTP/2 over one inherited connection. */

/** Descriptors that a worker inherits: the server's folder, the node's own area beside it, the connection. */
export const WORKER_FDS = { root: 3, area: 4, connection: 5 } as const

/** Bytes of one transfer on their way: enough for a fast disk, and little for a hundred transfers. */
export const WINDOW_BYTES = 1024 * 1024

/** The storage of the server in each request, because it may change while a worker lives. */
export const ROOM_HEADERS = { limit: 'x-limit-bytes', free: 'x-free-bytes' } as const
