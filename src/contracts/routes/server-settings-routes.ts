import * as z from 'zod'
import { IdentityChange, OperationChange, ServerSettings } from '../http/panel/server-settings.ts'
import { Id } from '../primitives.ts'

const about = { auth: 'user', path: z.object({ id: Id }), idAs: 'serverId' } as const

/** Rows of the API table: a server's name and how it is run. */
export const SERVER_SETTINGS_ROUTES = {
  'GET /api/server/{id}/settings': {
    ...about,
    summary: 'Get the settings of a server',
    limit: 'read',
    call: 'server-settings',
    output: ServerSettings,
  },
  'PUT /api/server/{id}/settings/identity': {
    ...about,
    summary: 'Change the name and the description of a server',
    limit: 'settings',
    input: IdentityChange,
    call: 'change-identity',
    inputAs: 'change',
    output: ServerSettings,
  },
  'PUT /api/server/{id}/settings/operation': {
    ...about,
    summary: 'Change time zone, automatic start and stop time-out of a server',
    limit: 'settings',
    input: OperationChange,
    call: 'change-operation',
    inputAs: 'change',
    output: ServerSettings,
  },
} as const
