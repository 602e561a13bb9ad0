import { createLogShare, endLogShare, listLogShares, readSharedLog } from '../servers/log-shares/share-log.ts'
import type { LogShareRefusal } from '../servers/log-shares/share-log.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type LogShareCall = 'log-shares' | 'create-log-share' | 'end-log-share' | 'shared-log'

const refused = ({ code, permission, fields }: LogShareRefusal): ApiRefusal =>
  new ApiRefusal(code, { ...(permission && { params: { permission } }), ...(fields && { fields }) })

/** Calls about ranges of servers' logs that are shared as links. */
export const logShareCalls = ({ context }: ApiDeps): Pick<InternalCalls, LogShareCall> => ({
  'log-shares': async (input) => {
    const result = await listLogShares(context, input)
    if (!result.ok) throw refused(result)
    return { items: result.items }
  },
  'create-log-share': async (input) => {
    const result = await createLogShare(context, input)
    if (!result.ok) throw refused(result)
    return { share: result.share, path: result.path }
  },
  'end-log-share': async (input) => {
    const result = await endLogShare(context, input)
    if (!result.ok) throw refused(result)
    return {}
  },
  'shared-log': async ({ token }) => ({ log: await readSharedLog(context, token) }),
})
