import { ServerLayout } from '#contracts/http/server-layout.ts'
import { readPlayerCounts } from '../servers/store/player-counts.ts'
import { changeServerLayout, readServerLayout } from '../servers/store/server-layouts.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

/** Calls about people's lists of servers: how they are arranged, and who plays. */
export const serverLayoutCalls = ({
  context,
}: ApiDeps): Pick<InternalCalls, 'server-layout' | 'change-server-layout' | 'player-counts'> => ({
  'player-counts': ({ caller }) => readPlayerCounts(context.db, { userId: caller.userId, nowMs: context.clock.now() }),
  'server-layout': ({ caller }) => readServerLayout(context.db, caller),
  'change-server-layout': async (input) => {
    const result = await changeServerLayout(context, input)
    if (!result.ok) throw new ApiRefusal(result.code)
    return ServerLayout.parse(result.layout)
  },
})
