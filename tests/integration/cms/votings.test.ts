import { readFileSync } from 'node:fs'
import { sql } from '@payloadcms/db-postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { VotingRow } from '../../../src/contracts/cms-api/rows.ts'
import { votingState } from '../../../src/domain/votings/voting.ts'
import { down, up } from '../../../src/cms/migrations/20261130_231931_voting_rules.ts'
import { startCms, type CmsHarness } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))

const DAY_MS = 86_400_000
let cms: CmsHarness
beforeAll(async () => {
  cms = await startCms()
})
afterAll(() => cms.close())

const run = async (statement: string) => (await cms.payload.db.drizzle.execute(sql.raw(statement))).rows
beforeEach(async () => {
  await run('delete from public.votings')
})

type Option = { readonly id: string; readonly text: string; readonly votes: number }
type Voting = { readonly id: string; readonly votes: number; readonly active: boolean; readonly options: Option[] }

const OPTIONS = [{ text: 'Yes' }, { text: 'No' }]
const SECOND = 'Another voting is already running. End it first, or wait until its end.'
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const by = (language = 'en') => ({ person: 'administrator', language }) as const
const send = (route: string, body?: object, language?: string) => cms.send(by(language), route, body)
const create = async (facts: object = {}) => {
  const { status, json, text } = await send('post /votings', {
    question: 'Which?',
    options: OPTIONS,
    active: false,
    ...facts,
  })
  expect([status, text]).toEqual([201, expect.any(String)])
  return json()['doc'] as Voting
}
const change = (id: string, facts: object, language?: string) => send(`patch /votings/${id}`, facts, language)
const messageOf = (answer: Awaited<ReturnType<typeof send>>) =>
  (answer.json()['errors'] as { message: string }[] | undefined)?.[0]?.message
const view = async () => {
  const { rows } = await cms.payload.db.pool.query('select * from cms_api.votings order by opened_at')
  return rows.map((row) => VotingRow.parse(row))
}
const running = async () => {
  const nowMs = Date.now()
  const opened = await view()
  return opened.filter((row) => votingState({ endsAtMs: row.ends_at?.getTime() ?? null }, nowMs) === 'active')
}
/** Moves the end of a voting into the past without waiting for it. The trigger would note that as a change by staff. */
const letEnd = (id: string) =>
  run(`begin; alter table public.votings disable trigger note_voting;
    update public.votings set opened_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = '${id}';
    alter table public.votings enable trigger note_voting; commit`)

describe('one voting runs at a time', () => {
  it('by a form: a second one is refused in the language of the admin, at its field', async () => {
    const first = await create({ active: true })
    const second = await create()
    const refused = await change(second.id, { active: true })
    expect([refused.status, messageOf(refused)]).toEqual([409, SECOND])
    expect(refused.json()['errors']).toMatchObject([{ data: { errors: [{ path: 'active', message: SECOND }] } }])
    expect(messageOf(await change(second.id, { active: true }, 'hu'))).toContain('Már fut egy másik szavazás.')
    expect(messageOf(await change(second.id, { active: true }, 'de'))).toContain(
      'Es läuft schon eine andere Abstimmung.',
    )
    const created = await send('post /votings', { question: 'Third?', options: OPTIONS, active: true })
    expect(created.status).toBe(409)
    expect((await running()).map(({ id }) => id)).toEqual([first.id])
  })

  it('by saves at once, of existing votings and of new ones', async () => {
    for (let round = 0; round < 5; round += 1) {
      await run('delete from public.votings')
      const [one, other] = [await create(), await create()]
      const fresh = { question: 'New?', options: OPTIONS, active: true }
      const answers = await Promise.all([
        change(one.id, { active: true }),
        send('post /votings', fresh),
        change(other.id, { active: true }),
        send('post /votings', fresh),
      ])
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      const refusals = answers.filter(({ status }) => status >= 300)
      expect(refusals.map((answer) => [answer.status, messageOf(answer)])).toEqual(refusals.map(() => [409, SECOND]))
      expect(await running()).toHaveLength(1)
    }
  })

  it('by SQL, whatever times the statement gives', async () => {
    await create({ active: true })
    const other = await create()
    const tries = [
      `update public.votings set active = true where id = '${other.id}'`,
      `update public.votings set active = true, opened_at = null where id = '${other.id}'`,
      `update public.votings set active = true, opened_at = now() + interval '1 year' where id = '${other.id}'`,
      `insert into public.votings (id, active, opened_at) values (gen_random_uuid(), true, '1970-01-01')`,
      'update public.votings set active = true',
    ]
    for (const statement of tries)
      await expect(cms.payload.db.pool.query(statement)).rejects.toMatchObject({ constraint: 'votings_one_at_a_time' })
    expect(await running()).toHaveLength(1)
  })

  it('by a longer end: one that has ended cannot run again beside the next one', async () => {
    const first = await create({ active: true, endsAt: inDays(1) })
    await letEnd(first.id)
    const second = await create({ active: true })
    expect((await change(first.id, { endsAt: inDays(1) })).status).toBe(409)
    expect((await change(first.id, { endsAt: null })).status).toBe(409)
    expect((await running()).map(({ id }) => id)).toEqual([second.id])
  })
})

describe('one that has ended stays ended beside the next one', () => {
  type Save = (id: string) => Promise<unknown>
  const saves: [string, Save][] = [
    ['in one save', (id) => change(id, { active: false, endsAt: null })],
    ['with a later end', (id) => change(id, { active: false, endsAt: inDays(5) })],
    [
      'in two saves',
      async (id) => {
        await change(id, { active: false })
        await change(id, { endsAt: null })
      },
    ],
    ['by SQL', (id) => run(`update public.votings set active = false, ends_at = null where id = '${id}'`)],
  ]
  it.each(saves)('when staff untick it and clear its end %s', async (_how, save) => {
    const first = await create({ active: true, endsAt: inDays(1) })
    await letEnd(first.id)
    const [ended] = await view()
    await save(first.id)
    const second = await create({ active: true })
    expect((await running()).map(({ id }) => id)).toEqual([second.id])
    const told = (await view()).find(({ id }) => id === first.id)
    expect(told?.ends_at).toEqual(ended?.ends_at)
    // Neither a tick with an end that has passed opens it, nor the next untick moves its end.
    expect((await change(first.id, { active: true, endsAt: inDays(-2) })).status).toBe(200)
    await change(first.id, { active: false, endsAt: null })
    expect((await running()).map(({ id }) => id)).toEqual([second.id])
  })
})

describe('a database that goes back to before the openings and comes again', () => {
  it('has the voting that runs open again, tells every voting, and opens one at a time as before', async () => {
    const ended = await create({ active: true, endsAt: inDays(1) })
    await letEnd(ended.id)
    const open = await create({ active: true })
    const draft = await create()
    const migration = { db: cms.payload.db.drizzle } as unknown as Parameters<typeof up>[0]
    await down(migration)
    await up(migration)
    expect((await running()).map(({ id }) => id)).toEqual([open.id])
    const { rows } = await cms.payload.db.pool.query<{ id: string }>('select id from cms_api.voting_ids')
    expect(rows.map(({ id }) => id).toSorted()).toEqual([ended.id, open.id, draft.id].toSorted())
    expect((await change(draft.id, { active: true })).status).toBe(409)
    await change(open.id, { active: false })
    expect((await change(draft.id, { active: true })).status).toBe(200)
    expect((await running()).map(({ id }) => id)).toEqual([draft.id])
  })

  it('opens one that lost its opening by the next save that activates it', async () => {
    const { id } = await create({ active: true })
    await run(`begin; alter table public.votings disable trigger note_voting;
      update public.votings set opened_at = null where id = '${id}';
      alter table public.votings enable trigger note_voting; commit`)
    expect(await view()).toEqual([])
    await change(id, { active: true })
    expect((await running()).map((row) => row.id)).toEqual([id])
  })
})

describe('the end of a voting', () => {
  it('needs no job, and the next one can be opened while the ended one is still marked as active', async () => {
    const first = await create({ active: true, endsAt: inDays(1) })
    await letEnd(first.id)
    const second = await create({ active: true })
    expect((await running()).map(({ id }) => id)).toEqual([second.id])
    expect(((await send(`get /votings/${first.id}`)).json() as unknown as Voting).active).toBe(true)
    // Its text can still be corrected.
    expect((await change(first.id, { question: 'Which one?' })).status).toBe(200)
  })

  it('is the moment at which staff close it, and a later save does not move it', async () => {
    const { id } = await create({ active: true, endsAt: inDays(3) })
    await change(id, { active: false })
    const [closed] = await view()
    expect(closed?.ends_at?.getTime()).toBeLessThan(Date.now() + 1)
    await change(id, { question: 'Which one?' })
    expect((await view())[0]?.ends_at).toEqual(closed?.ends_at)
    await change(id, { active: true })
    expect((await running()).map((row) => [row.id, row.ends_at === null])).toEqual([[id, false]])
  })

  it('a voting that was never opened is not told to the control plane', async () => {
    const draft = await create()
    await create({ active: true, endsAt: inDays(-1) })
    expect(await view()).toEqual([])
    await change(draft.id, { active: true })
    expect((await view()).map(({ id }) => id)).toEqual([draft.id])
  })
})

describe('options', () => {
  it('keep their ids and their order through corrected texts and other languages', async () => {
    const { id, options } = await create({ active: true })
    const translated = options.map((option) => ({ id: option.id, text: `${option.text} hu` }))
    expect((await send(`patch /votings/${id}?locale=en`, { question: 'Which?', options })).status).toBe(200)
    expect((await send(`patch /votings/${id}?locale=hu`, { question: 'Melyik?', options: translated })).status).toBe(
      200,
    )
    const [row] = await view()
    expect(row?.options).toEqual([
      { id: options[0]?.id, text: { en: 'Yes', hu: 'Yes hu', de: 'Yes hu' } },
      { id: options[1]?.id, text: { en: 'No', hu: 'No hu', de: 'No hu' } },
    ])
    expect(row?.question).toEqual({ en: 'Which?', hu: 'Melyik?', de: 'Melyik?' })
  })
})

describe('votes', () => {
  beforeAll(async () => {
    await run('create schema if not exists control')
    await run('create schema if not exists control_api')
    await run(readFileSync('control-plane/platform/migrations/0100-0149/0129_votes.sql', 'utf8'))
  })
  const vote = (votingId: string, optionId: string) =>
    run(`insert into control.votes values ('${votingId}', gen_random_uuid(), '${optionId}', now())`)

  it('are shown to administrators for each option and in sum, and no form can set them', async () => {
    const { id, options } = await create()
    const [yes, no] = options
    for (const option of [yes, yes, no]) await vote(id, option?.id ?? '')
    const read = async () => {
      const one = (await send(`get /votings/${id}`)).json() as unknown as Voting
      return [one.votes, ...one.options.map(({ votes }) => votes)]
    }
    expect(await read()).toEqual([3, 2, 1])
    const listed = ((await send('get /votings?limit=50')).json()['docs'] as Voting[]).find((each) => each.id === id)
    expect(listed?.votes).toBe(3)
    await change(id, { votes: 99, options: options.map((option) => ({ ...option, votes: 99 })) })
    expect(await read()).toEqual([3, 2, 1])
  })

  it('hold their option: it cannot be removed, and one without votes can', async () => {
    const { id, options } = await create()
    const [yes, no] = options
    await vote(id, yes?.id ?? '')
    const added = { text: 'Maybe' }
    const refused = await change(id, { options: [no, added] })
    expect([refused.status, messageOf(refused)]).toEqual([409, expect.stringContaining('“Yes” already has votes')])
    expect(messageOf(await change(id, { options: [no, added] }, 'hu'))).toContain('Erre már szavaztak')
    expect(messageOf(await change(id, { options: [no, added] }, 'de'))).toContain('gibt es schon Stimmen')
    expect((await change(id, { options: [{ ...yes, text: 'Certainly' }, added] })).status).toBe(200)
    const kept = (await send(`get /votings/${id}`)).json() as unknown as Voting
    expect(kept.options.map(({ text, votes }) => [text, votes])).toEqual([
      ['Certainly', 1],
      ['Maybe', 0],
    ])
  })
})
