import * as z from 'zod'
import { StaffKnownErrors } from '../http/panel/known-errors.ts'
import { StartTimes } from '../http/panel/start-times.ts'
import { SecretAnswer, SecretRequest, ServerStartup, StartupChange, StartupImageChange } from '../http/panel/startup.ts'
import { DescribedFiles } from '../panel/described-files.ts'
import { Id } from '../primitives.ts'

/** Rows of the internal API about what a server starts with, and what its template says of it. */
export const startupCallsOf = <Caller extends z.ZodType>(caller: Caller) => {
  const ofServer = { caller, serverId: Id }
  return {
    'server-startup': { input: z.object(ofServer), output: ServerStartup },
    'server-starts': { input: z.object(ofServer), output: StartTimes },
    /** The rules of staff for its console's cards. */
    'server-known-errors': { input: z.object(ofServer), output: StaffKnownErrors },
    /** The files that its template describes. */
    'described-files': { input: z.object(ofServer), output: DescribedFiles },
    'change-startup': { input: z.object({ ...ofServer, change: StartupChange }), output: ServerStartup },
    'change-startup-image': { input: z.object({ ...ofServer, change: StartupImageChange }), output: ServerStartup },
    'startup-secret': { input: z.object({ ...ofServer, ...SecretRequest.shape }), output: SecretAnswer },
  } as const
}
