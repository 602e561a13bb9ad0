import { reinstallServer } from '../servers/settings/reinstall-server.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

/** The call that installs a server again. */
export const reinstallCalls = ({ context }: ApiDeps): Pick<InternalCalls, 'reinstall-server'> => ({
  'reinstall-server': async (input, { requestId }) => {
    const result = await reinstallServer(context, { ...input, requestId })
    if (result.ok) return { accepted: true }
    const { code, permission } = result
    if (code === 'OTHER_NAME') throw new ApiRefusal('VALIDATION', { fields: { name: 'invalid' } })
    throw new ApiRefusal(code, permission === undefined ? {} : { params: { permission } })
  },
})
