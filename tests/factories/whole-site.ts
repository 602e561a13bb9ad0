import { readDeparture } from '../../control-plane/people/departure.ts'
import { erasePerson } from '../../control-plane/people/erase-person.ts'
import { eraseDueAccounts } from '../../src/identity/accounts/erase-accounts.ts'
import type { ErasureDeps } from '../../src/identity/accounts/erase-accounts.ts'
import { leaveAccount } from '../../src/identity/accounts/leave-account.ts'
import { login } from '../../src/identity/sign-in/login.ts'
import { register } from '../../src/identity/accounts/register.ts'
import { createIdentity } from '../support/identity-context.ts'
import { PASSWORD, somewhere } from '../support/people.ts'
import { openMailbox } from '../support/site-mails.ts'
import { createWholeDatabase, openAsControlPlane } from '../support/whole-database.ts'
import { liveOnControlPlane, liveOnSite } from './lived-in-account.ts'
import { orderContext } from './shop.ts'

type Faults = (name: string) => Promise<void>
export type Leaver = Awaited<ReturnType<WholeSite['person']>>
export type WholeSite = Awaited<ReturnType<typeof openWholeSite>>

/** Site and control plane on one database, each with its own rights, and the steps of an account between them. */
export const openWholeSite = async () => {
  const site = await createIdentity(createWholeDatabase)
  const control = openAsControlPlane(site.url)
  const failures: unknown[] = []
  let people = 0
  const context = (faults?: Faults) => orderContext(control, { now: site.clock.now, ...(faults ? { faults } : {}) })
  const signIn = (name: string) => login(site.context, { name, password: PASSWORD, device: null }, somewhere())

  /** A new person; `lived` gives them a row of every kind of data, with their canary in each text. */
  const person = async ({ lived = false } = {}) => {
    people += 1
    const canary = `canary${people}x`
    const names = { username: canary, email: `${canary}@example.test` }
    const made = await register(site.context, { ...names, password: PASSWORD, language: 'hu' }, somewhere())
    if (!made.ok) throw new Error(made.code)
    const session = await signIn(names.username)
    if (!session.ok) throw new Error(session.code)
    const who = { ...names, userId: made.userId, canary }
    if (lived) {
      await liveOnControlPlane(control, who, site.clock.now())
      await liveOnSite(site, who)
      // The factor is only a row here: the tests sign in by password.
      await site.context.db.query('delete from identity.passkeys where user_id = $1', [who.userId])
    }
    return { ...who, person: { ...session.tokens.subject, device: null }, tokens: session.tokens }
  }
  type Somebody = Awaited<ReturnType<typeof person>>

  const figuresOf = ({ userId }: Pick<Somebody, 'userId'>) => readDeparture(control, context(), userId)

  const leave = async (who: Somebody, given: { balanceFt?: number; servers?: boolean; password?: string } = {}) =>
    leaveAccount(
      site.context,
      {
        person: who.person,
        password: given.password ?? PASSWORD,
        code: undefined,
        waiver: { balanceFt: given.balanceFt ?? 0, servers: given.servers ?? false },
        figures: await figuresOf(who),
        requestId: 'leave-1',
      },
      somewhere(),
    )

  const erase = (changes: Partial<ErasureDeps> = {}, faults?: Faults) =>
    eraseDueAccounts({
      context: site.context,
      mayErase: async ({ userId, waivedFt }) => {
        const left = await readDeparture(control, context(), userId)
        return left.openOrders === 0 && left.openPayments === 0 && left.debtFt === 0 && left.balanceFt <= waivedFt
      },
      eraseElsewhere: async (erased) => {
        const answer = await erasePerson(context(faults), { ...erased, requestId: 'erase' })
        if (!answer.ok) throw new Error(answer.code)
      },
      onFailure: (error) => void failures.push(error),
      ...changes,
    })

  const stateOf = async ({ userId }: Pick<Somebody, 'userId'>) => {
    const [row] = await site.context.db.query<{ shown: string; state: string | null }>(
      `select account_state as shown, (select state from identity.account_deletions where user_id = users.id) as state
       from public.users where id = $1`,
      [userId],
    )
    return row
  }

  const close = async () => {
    await control.close()
    await site.close()
  }
  const leaveWithEverything = (who: Somebody) => leave(who, { balanceFt: 5_000, servers: true })
  const mails = openMailbox(site)
  return {
    site,
    control,
    mails,
    failures,
    context,
    signIn,
    person,
    figuresOf,
    leave,
    leaveWithEverything,
    erase,
    stateOf,
    close,
  }
}
