import type { SeenPerson } from '#contracts/http/panel/collaborators.ts'
import { refuseSeeing } from '#domain/servers/permissions.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf, shownAccessOf } from '../access/server-access.ts'
import { actorOf, lacks, refuse, type SharingCaller, type SharingRefusal } from './sharing-access.ts'
import { readShareOf } from './share-store.ts'

type Asked = { readonly caller: SharingCaller; readonly serverId: string; readonly userId: string }

/**
 * Begins to look at a server as a collaborator sees it, and records it. It grants nothing: each later call names the
 * collaborator again and is checked on its own.
 */
export function seeAs(
  context: Context,
  { caller, serverId, userId }: Asked,
): Promise<{ ok: true; person: SeenPerson } | SharingRefusal> {
  return context.db.transaction(async (tx) => {
    const access = await accessOf(tx, caller, serverId)
    if (!access) return refuse('NOT_FOUND')
    if (!access.permissions.includes('user.update')) return lacks('user.update')
    const { ownerId } = access.server
    const seen = await shownAccessOf(tx, { ...caller, seesAs: userId }, serverId)
    if (!seen && userId !== ownerId) return refuse('NOT_FOUND')
    const share = await readShareOf(tx, { serverId, userId }, context.clock.now())
    const shared = share?.permissions ?? []
    const code = refuseSeeing({ actor: actorOf(caller, access), ownerId, subUserId: userId, shared })
    if (code !== null) return refuse(code)
    const username = (await readPerson(tx, userId))?.username ?? ''
    const activity = { type: 'server:subuser.see-as', status: 'success', detail: { text: username } } as const
    const { address, way } = caller
    await recordActivity(tx, context, { userId: caller.userId, address, way, serverId, ...activity })
    return { ok: true, person: { id: userId, username } }
  })
}
