import { assertNever } from '#domain/kernel/assert.ts'
import { faultWord } from '#domain/startup/check-value.ts'
import {
  changeStartup,
  changeStartupImage,
  revealSecret,
  type StartupRefusal,
} from '../servers/startup/change-startup.ts'
import { readDescribedFiles } from '../servers/startup/described-files.ts'
import { readServerKnownErrors } from '../servers/startup/known-errors.ts'
import { readStartTimes, type StartTimesRefusal } from '../servers/startup/start-times.ts'
import { readStartup, type StartupReadRefusal } from '../servers/startup/read-startup.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type StartupCall =
  | 'server-startup'
  | 'change-startup'
  | 'change-startup-image'
  | 'startup-secret'
  | 'server-starts'
  | 'server-known-errors'
  | 'described-files'

/** Translates the refusal of a start-up setting to the API: a value that is not accepted is a fault of its field. */
function startupRefused(refusal: StartupRefusal | StartupReadRefusal | StartTimesRefusal): ApiRefusal {
  const { code } = refusal
  switch (code) {
    case 'INVALID_VALUES': {
      const faults = 'faults' in refusal ? (refusal.faults ?? {}) : {}
      const words = Object.entries(faults).map(([name, fault]) => [`variables.${name}`, faultWord(fault)])
      return new ApiRefusal('VALIDATION', { fields: Object.fromEntries(words) })
    }
    case 'FORBIDDEN':
      return new ApiRefusal('FORBIDDEN', { params: { permission: refusal.permission ?? '' } })
    case 'NOT_FOUND':
    case 'SERVER_SUSPENDED':
    case 'SERVER_EXPIRED':
    case 'STARTUP_CHANGED':
    case 'IMAGE_NOT_LISTED':
      return new ApiRefusal(code)
    default:
      return assertNever(code)
  }
}

/** Calls about what a server starts with. */
export const startupCalls = ({ context }: ApiDeps): Pick<InternalCalls, StartupCall> => ({
  'server-startup': async (input) => {
    const result = await readStartup(context, input)
    if (!result.ok) throw startupRefused(result)
    return result.startup
  },
  'change-startup': async (input, { requestId }) => {
    const result = await changeStartup(context, { ...input, requestId })
    if (!result.ok) throw startupRefused(result)
    return result.startup
  },
  'change-startup-image': async (input, { requestId }) => {
    const result = await changeStartupImage(context, { ...input, requestId })
    if (!result.ok) throw startupRefused(result)
    return result.startup
  },
  'server-starts': async (input) => {
    const result = await readStartTimes(context, input)
    if (!result.ok) throw startupRefused(result)
    return result.times
  },
  'server-known-errors': async (input) => {
    const result = await readServerKnownErrors(context, input)
    if (!result.ok) throw startupRefused(result)
    return result.errors
  },
  'described-files': async (input) => {
    const result = await readDescribedFiles(context, input)
    if (!result.ok) throw startupRefused(result)
    return result.described
  },
  'startup-secret': async (input) => {
    const result = await revealSecret(context, input)
    if (!result.ok) throw startupRefused(result)
    return { value: result.value }
  },
})
