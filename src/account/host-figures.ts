import type { HostFigures } from '#contracts/summary/figures.ts'
import { readRecently } from '../lib/site/read-recently.ts'
import type { IdentityContext } from '../identity/context/context.ts'
import type { Sql } from '../identity/context/database.ts'

const MINUTE_MS = 60_000

// Erased accounts are nobody any more. Without settings every figure is shown.
const READ = `
  select (select count(*)::int from public.users where account_state is distinct from 'erased') as "registeredUsers"
  where coalesce((select shown_registered_users from public.settings limit 1), true)`

/** The figures of the host. All pages together lead to one count a minute in each site process. */
export const createHostFigures = ({
  db,
  clock,
}: Pick<IdentityContext, 'clock'> & { readonly db: Sql }): (() => Promise<HostFigures>) => {
  const recent = readRecently(
    () => db.query<HostFigures>(READ),
    () => clock.now(),
    MINUTE_MS,
  )
  return async () => (await recent('host'))[0] ?? {}
}
