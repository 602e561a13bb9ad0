import * as z from 'zod'
import { ReinstallAnswer, ReinstallRequest } from '../http/panel/reinstall.ts'
import { Id } from '../primitives.ts'

/** The row of the API table that installs a server again. */
export const REINSTALL_ROUTES = {
  'POST /api/server/{id}/reinstall': {
    auth: 'user',
    path: z.object({ id: Id }),
    idAs: 'serverId',
    summary: 'Stop a server and install it again, with or without its files',
    limit: 'power',
    input: ReinstallRequest,
    call: 'reinstall-server',
    inputAs: 'request',
    output: ReinstallAnswer,
    status: 202,
  },
} as const
