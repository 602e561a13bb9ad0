import { ServerLayout } from '#contracts/http/server-layout.ts'
import { changeServerLayout, readServerLayout } from '../servers/store/server-layouts.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

/** Calls about how people arrange their lists of servers. */
export const serverLayoutCalls = ({
  context,
}: ApiDeps): Pick<InternalCalls, 'server-layout' | 'change-server-layout'> => ({
  'server-layout': ({ caller }) => readServerLayout(context.db, caller),
  'change-server-layout': async (input) => {
    const result = await changeServerLayout(context, input)
    if (!result.ok) throw new ApiRefusal(result.code)
    return ServerLayout.parse(result.layout)
  },
})
