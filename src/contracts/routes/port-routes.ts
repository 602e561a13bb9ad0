import * as z from 'zod'
import { PortCheck, PortNote, ServerPorts } from '../http/panel/ports.ts'
import { Id } from '../primitives.ts'

const ServerPath = z.object({ id: Id })
const PortPath = z.object({ id: Id, portId: Id })

/** Rows of the API table: the ports of a server. */
export const PORT_ROUTES = {
  'GET /api/server/{id}/ports': {
    summary: 'List the ports of a server',
    auth: 'user',
    limit: 'read',
    path: ServerPath,
    call: 'server-ports',
    idAs: 'serverId',
    output: ServerPorts,
  },
  'POST /api/server/{id}/ports': {
    summary: 'Add a port to a server, within its limit',
    auth: 'user',
    limit: 'settings',
    path: ServerPath,
    input: PortNote,
    call: 'add-port',
    idAs: 'serverId',
    output: ServerPorts,
    status: 201,
  },
  'PATCH /api/server/{id}/ports/{portId}': {
    summary: 'Change the note of a port',
    auth: 'user',
    limit: 'settings',
    path: PortPath,
    input: PortNote,
    call: 'note-port',
    idAs: 'serverId',
    output: ServerPorts,
  },
  'DELETE /api/server/{id}/ports/{portId}': {
    summary: 'Remove a port of a server that nothing names',
    auth: 'user',
    limit: 'settings',
    path: PortPath,
    call: 'remove-port',
    idAs: 'serverId',
    output: ServerPorts,
  },
  'POST /api/server/{id}/ports/{portId}/primary': {
    summary: 'Make a port the primary one of its server',
    auth: 'user',
    limit: 'settings',
    path: PortPath,
    call: 'make-port-primary',
    idAs: 'serverId',
    output: ServerPorts,
  },
  'POST /api/server/{id}/ports/{portId}/check': {
    summary: 'Check whether a port accepts tcp connections from outside its machine',
    auth: 'user',
    limit: 'portCheck',
    path: PortPath,
    call: 'check-port',
    idAs: 'serverId',
    output: PortCheck,
  },
} as const
