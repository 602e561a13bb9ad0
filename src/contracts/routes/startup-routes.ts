import { SecretAnswer, SecretRequest, ServerStartup, StartupChange, StartupImageChange } from '../http/panel/startup.ts'
import { DescribedFiles } from '../panel/described-files.ts'
import { StaffKnownErrors } from '../http/panel/known-errors.ts'
import { StartTimes } from '../http/panel/start-times.ts'
import * as z from 'zod'
import { Id } from '../primitives.ts'

const ServerPath = z.object({ id: Id })
const about = { auth: 'user', path: ServerPath, idAs: 'serverId' } as const

/** Rows of the API table: with what a server starts. */
export const STARTUP_ROUTES = {
  'GET /api/server/{id}/starts': {
    ...about,
    summary: 'Get how long starts of a server usually take on its node',
    limit: 'read',
    call: 'server-starts',
    output: StartTimes,
  },
  'GET /api/server/{id}/known-errors': {
    ...about,
    summary: "List staff's rules for problems that a server's log can name",
    limit: 'read',
    call: 'server-known-errors',
    output: StaffKnownErrors,
  },
  'GET /api/server/{id}/described-files': {
    ...about,
    summary: "List the configuration files that a server's template describes, with the fields of each",
    limit: 'read',
    call: 'described-files',
    output: DescribedFiles,
  },
  'GET /api/server/{id}/startup': {
    ...about,
    summary: 'Get the start-up settings of a server',
    limit: 'read',
    call: 'server-startup',
    output: ServerStartup,
  },
  'PUT /api/server/{id}/startup': {
    ...about,
    summary: 'Change start-up variables of a server; they take effect at its next start',
    limit: 'settings',
    input: StartupChange,
    call: 'change-startup',
    inputAs: 'change',
    output: ServerStartup,
  },
  'PUT /api/server/{id}/startup/image': {
    ...about,
    summary: "Choose the Docker image of a server from its template's list",
    limit: 'settings',
    input: StartupImageChange,
    call: 'change-startup-image',
    inputAs: 'change',
    output: ServerStartup,
  },
  'POST /api/server/{id}/startup/secret': {
    ...about,
    summary: 'Show the value of a secret start-up variable',
    limit: 'settings',
    input: SecretRequest,
    call: 'startup-secret',
    output: SecretAnswer,
  },
} as const
