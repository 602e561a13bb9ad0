import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Locale } from '#contracts/locale.ts'
import { systemIds } from '#platform/ids.ts'
import { internalCalls } from '../../../control-plane/api/internal-calls.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import { castVote, readShownVoting } from '../../../control-plane/votings/votings.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY_MS = 86_400_000
let database: PlatformDatabase
let nowMs = NOW
beforeAll(async () => {
  database = await platformDatabase(30)
})
afterAll(() => database.close())
beforeEach(async () => {
  nowMs = NOW
  await database.owner.query('delete from cms_api.votings')
  await database.owner.query('delete from control.votes')
})

const context = () => ({ ...testContext(database.db), clock: { now: () => nowMs } })
const texts = (text: string) => ({ en: `${text} en`, hu: `${text} hu`, de: `${text} de` })
const option = (id: string) => ({ id, text: texts(id) })

/** A voting that was opened yesterday. */
const opened = async (endsAtMs: number | null = null, options = ['yes', 'no', 'maybe']) => {
  const id = systemIds.next()
  await database.owner.query('insert into cms_api.votings values ($1, $2, $3, $4, $5)', [
    id,
    JSON.stringify(texts('Question')),
    JSON.stringify(options.map(option)),
    new Date(NOW - DAY_MS),
    endsAtMs === null ? null : new Date(endsAtMs),
  ])
  return id
}
const person = (locale: Locale = 'en') => ({ userId: systemIds.next(), locale })
const vote = (votingId: string, caller: ReturnType<typeof person>, optionId: string) =>
  castVote(context(), { caller, votingId, optionId })
const read = async (caller: ReturnType<typeof person>) => (await readShownVoting(context(), caller)).voting
const countsOf = (voting: Awaited<ReturnType<typeof read>>) => voting?.options.map(({ votes }) => votes)
const rows = () =>
  database.owner.query<{ user_id: string; option_id: string }>(
    'select user_id, option_id from control.votes order by user_id',
  )

describe('fifty votes at once', () => {
  it('count as one vote when one person sends them', async () => {
    const id = await opened()
    const caller = person()
    const wishes = Array.from({ length: 50 }, (_each, at) => ['yes', 'no', 'maybe'][at % 3] ?? 'yes')
    const answers = await Promise.all(wishes.map((wish) => vote(id, caller, wish)))
    expect(answers.every(({ ok }) => ok)).toBe(true)
    const kept = await rows()
    expect(kept).toHaveLength(1)
    const voting = await read(caller)
    expect([voting?.votes, voting?.ownOption]).toEqual([1, kept[0]?.option_id])
  })

  it('count each for its option when fifty people send them', async () => {
    const id = await opened()
    const people = Array.from({ length: 50 }, () => person())
    await Promise.all(people.map((caller, at) => vote(id, caller, at < 30 ? 'yes' : 'no')))
    expect(await rows()).toHaveLength(50)
    expect(countsOf(await read(people[0] ?? person()))).toEqual([30, 20, 0])
  })
})

describe('a vote', () => {
  it('replaces the earlier one of that person, and nobody else’s', async () => {
    const id = await opened()
    const [one, other] = [person(), person()]
    await vote(id, one, 'yes')
    await vote(id, other, 'yes')
    const changed = await vote(id, one, 'no')
    expect(changed).toMatchObject({ ok: true, answer: { voting: { ownOption: 'no', votes: 2 } } })
    expect(countsOf(await read(other))).toEqual([1, 1, 0])
  })

  it('is refused from the end on, and changes nothing: no job has to run between', async () => {
    const id = await opened(NOW + 60_000)
    const caller = person()
    await vote(id, caller, 'yes')
    nowMs = NOW + 60_000
    expect(await vote(id, caller, 'no')).toEqual({ ok: false, code: 'VOTING_ENDED' })
    expect(await vote(id, person(), 'no')).toEqual({ ok: false, code: 'VOTING_ENDED' })
    expect(await rows()).toEqual([{ user_id: caller.userId, option_id: 'yes' }])
    expect(await read(caller)).toMatchObject({ state: 'ended', ownOption: 'yes', votes: 1 })
  })

  it('is refused for an option of another voting, for one that is gone, and in a voting that is gone', async () => {
    const id = await opened()
    await opened(NOW - 1_000, ['theirs'])
    expect(await vote(id, person(), 'theirs')).toEqual({ ok: false, code: 'VOTE_OPTION_GONE' })
    expect(await vote(systemIds.next(), person(), 'yes')).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await rows()).toEqual([])
  })

  it('for an option that was removed all the same counts for nobody, and the voter can choose again', async () => {
    const id = await opened()
    const [one, other] = [person(), person()]
    await vote(id, one, 'maybe')
    await vote(id, other, 'yes')
    await database.owner.query('update cms_api.votings set options = $2 where id = $1', [
      id,
      JSON.stringify(['yes', 'no'].map(option)),
    ])
    expect(await read(one)).toMatchObject({ ownOption: null, votes: 1, options: [{ votes: null }, { votes: null }] })
    expect(await vote(id, one, 'no')).toMatchObject({ ok: true, answer: { voting: { votes: 2, ownOption: 'no' } } })
  })

  it('stays with its option when the text is corrected', async () => {
    const id = await opened()
    const caller = person()
    await vote(id, caller, 'yes')
    const options = [
      { id: 'no', text: texts('Never') },
      { id: 'yes', text: texts('Certainly') },
    ]
    await database.owner.query('update cms_api.votings set options = $2 where id = $1', [id, JSON.stringify(options)])
    expect((await read(caller))?.options).toEqual([
      { id: 'no', text: 'Never en', votes: 0 },
      { id: 'yes', text: 'Certainly en', votes: 1 },
    ])
  })
})

describe('the shown voting', () => {
  it('has the language of its reader, and no result before the reader has voted or it has ended', async () => {
    const id = await opened(NOW + 60_000)
    await vote(id, person(), 'yes')
    const reader = person('hu')
    const before = await read(reader)
    expect(before).toMatchObject({ question: 'Question hu', state: 'active', ownOption: null, votes: 1 })
    expect(countsOf(before)).toEqual([null, null, null])
    nowMs = NOW + 60_000
    expect(countsOf(await read(reader))).toEqual([1, 0, 0])
  })

  it('is none without a voting, none a week after the end, and none for one that ended without a vote', async () => {
    expect(await read(person())).toBeNull()
    const id = await opened(NOW + 1_000)
    nowMs = NOW + 1_000
    expect(await read(person())).toBeNull()
    nowMs = NOW
    await vote(id, person(), 'yes')
    nowMs = NOW + 1_000
    expect(await read(person())).toMatchObject({ id, state: 'ended' })
    nowMs = NOW + 1_000 + 7 * DAY_MS
    expect(await read(person())).toBeNull()
  })
})

describe('the votes of a voting that staff remove', () => {
  /** The CMS sends this after each change of a voting. */
  const nudge = async () => {
    const deps = { context: context(), nudges: { nudge: () => Promise.resolve() } }
    const calls = internalCalls(deps as unknown as Parameters<typeof internalCalls>[0])
    await calls.nudge({ topic: 'votings', id: null }, { requestId: 'r', idempotencyKey: undefined })
  }
  const forgetters = [nudge, () => sweep(context())]

  it('are not those of one that lost its opening: it is still there', async () => {
    const id = await opened(NOW + DAY_MS)
    await vote(id, person(), 'yes')
    await database.owner.query(
      `create or replace view cms_api.voting_ids as select id from cms_api.votings union all select '${id}'::uuid`,
    )
    await database.owner.query('delete from cms_api.votings where id = $1', [id])
    for (const forget of forgetters) await forget()
    await database.owner.query('create or replace view cms_api.voting_ids as select id from cms_api.votings')
    expect(await rows()).toHaveLength(1)
  })

  it('stay while the CMS does not tell which votings there are, which stops no housekeeping', async () => {
    const id = await opened(NOW + DAY_MS)
    await vote(id, person(), 'yes')
    await database.owner.query('alter view cms_api.voting_ids rename to voting_ids_away')
    for (const forget of forgetters) await forget()
    await database.owner.query('alter view cms_api.voting_ids_away rename to voting_ids')
    expect(await rows()).toHaveLength(1)
  })

  it('go by a nudge or by the housekeeping, and no others do', async () => {
    for (const forget of forgetters) {
      const [kept, removed] = [await opened(NOW + DAY_MS), await opened(NOW + DAY_MS)]
      const caller = person()
      await vote(kept, caller, 'yes')
      await vote(removed, caller, 'no')
      await database.owner.query('delete from cms_api.votings where id = $1', [removed])
      await forget()
      const left = await database.owner.query('select voting_id from control.votes where user_id = $1', [caller.userId])
      expect(left).toEqual([{ voting_id: kept }])
    }
  })
})
