import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupOfActivity } from '#domain/servers/activity-groups.ts'
import {
  AWAY_FROM_MS,
  MOST_LINES,
  NEWS_KINDS,
  newsKindOf,
  newsOf,
  wasAway,
  type Happened,
} from '#domain/servers/since-you-left.ts'
import { KNOWN_TYPES } from '../../../../src/features/activities/activity-words.ts'

const ME = 'me'
const all = { userId: ME, permissions: ['console.read', 'activity.view'] } as const
const plain = { userId: ME, permissions: ['console.read'] } as const
const happened = (facts: Partial<Happened> & { type: string }): Happened => ({
  actor: 'anna',
  isFailure: false,
  count: 1,
  lastMs: 1_000,
  detail: '',
  ...facts,
})
const crash = (lastMs: number, count = 1) =>
  happened({ type: 'server:crashed', actor: 'server', isFailure: true, count, lastMs })

describe('an absence', () => {
  it('begins ten minutes after the last look', () => {
    expect([wasAway(0, AWAY_FROM_MS - 1), wasAway(0, AWAY_FROM_MS), wasAway(5, 0)]).toEqual([false, true, false])
  })
})

describe('the news', () => {
  it('fold what one person did of one kind, whatever way they took, with the newest time and text', () => {
    const { lines } = newsOf(
      [
        happened({ type: 'server.restart', lastMs: 5, count: 2 }),
        happened({ type: 'server:power.restart', lastMs: 9 }),
        happened({ type: 'server:file.write', lastMs: 3, detail: 'old.txt' }),
        happened({ type: 'server:sftp.write', lastMs: 8, detail: 'new.txt' }),
        happened({ type: 'server.restart', actor: 'bela', lastMs: 7 }),
      ],
      all,
    )
    expect(lines).toEqual([
      { kind: 'restarted', type: 'server:power.restart', actor: 'anna', count: 3, lastMs: 9, detail: '' },
      { kind: 'restarted', type: 'server.restart', actor: 'bela', count: 1, lastMs: 7, detail: '' },
      { kind: 'files', type: 'server:sftp.write', actor: 'anna', count: 2, lastMs: 8, detail: 'new.txt' },
    ])
  })

  it('are what others did: the own actions of the reader are none, what the host did in their name is', () => {
    const own = happened({ type: 'server.restart', actor: ME })
    expect(newsOf([own], all)).toEqual({ lines: [], more: 0 })
    expect(newsOf([own, crash(1)], all)).toMatchObject({ lines: [{ kind: 'crashed' }], more: 0 })
    expect(newsOf([happened({ type: 'server.auto-renewed', actor: 'system' })], all).lines).toHaveLength(1)
  })

  it('say crashes before anything that people did, and count what no line says', () => {
    const types = ['server.renewed', 'server:file.write', 'server:settings.rename', 'server:allocation.create']
    const others = [...types, 'server:startup.edit', 'server:subuser.accept'].map((type) =>
      happened({ type, lastMs: 10_000, count: 2 }),
    )
    const download = happened({ type: 'server:file.download', count: 3 })
    const { lines, more } = newsOf([...others, download, crash(1, 3)], all)
    expect(lines.map(({ kind }) => kind)).toEqual(['crashed', 'collaboratorJoined', 'startup', 'networks', 'settings'])
    expect(more).toBe(2 + 2 + 3)
  })

  it('nothing to say is nothing, although somebody looked something up', () => {
    const looked = ['server:file.download', 'server:startup.reveal', 'server:console.command', 'server:subuser.see-as']
    expect(
      newsOf(
        looked.map((type) => happened({ type })),
        all,
      ),
    ).toEqual({ lines: [], more: 0 })
  })

  it('a refused action changed nothing; a failed start of the machine did', () => {
    expect(newsOf([happened({ type: 'server.restart', isFailure: true })], all).lines).toEqual([])
    expect(
      newsOf([happened({ type: 'server:start-failed', actor: 'server', isFailure: true })], all).lines,
    ).toHaveLength(1)
  })

  it('without the permission to view activities they are what the console shows, and name nobody', () => {
    const what = ['server.restart', 'server:power.stop', 'server:file.write', 'server:subuser.accept', 'server.renewed']
    const { lines, more } = newsOf([...what.map((type) => happened({ type, detail: 'secret' })), crash(2)], plain)
    expect(lines.map(({ kind, actor, detail }) => [kind, actor, detail])).toEqual([
      ['crashed', null, ''],
      ['stopped', null, ''],
      ['restarted', null, ''],
    ])
    expect(more).toBe(0)
  })

  it('every type of news has words in the activities', () => {
    const kinds = new Set(KNOWN_TYPES.map(newsKindOf))
    for (const kind of NEWS_KINDS) expect([kind, kinds.has(kind)]).toEqual([kind, true])
    for (const type of KNOWN_TYPES) {
      if (newsKindOf(type) !== undefined) expect(groupOfActivity(type)).not.toBe('other')
    }
  })
})

describe('whatever happened', () => {
  const some = fc.array(
    fc.record({
      type: fc.constantFrom(...KNOWN_TYPES),
      actor: fc.constantFrom(ME, 'anna', 'bela', 'server', 'system'),
      isFailure: fc.boolean(),
      count: fc.integer({ min: 1, max: 50 }),
      lastMs: fc.integer({ min: 0, max: 1_000_000 }),
      detail: fc.string(),
    }),
    { maxLength: 40 },
  )
  const sum = (counted: readonly { count: number }[]) => counted.reduce((total, { count }) => total + count, 0)

  it('there are at most five lines, none of the reader’s own, one for each kind and actor, the most important first', () => {
    fc.assert(
      fc.property(some, fc.constantFrom(all, plain), (list, reader) => {
        const { lines } = newsOf(list, reader)
        expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
        expect(lines.some(({ actor }) => actor === ME)).toBe(false)
        expect(new Set(lines.map(({ kind, actor }) => `${kind} ${actor}`)).size).toBe(lines.length)
        const ranks = lines.map(({ kind }) => NEWS_KINDS.indexOf(kind))
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      }),
    )
  })

  it('lines and rest together are all that others did, and the order in which it is read changes nothing', () => {
    fc.assert(
      fc.property(some, (list) => {
        const news = newsOf(list, all)
        const ofOthers = list.filter(({ actor }) => actor !== ME)
        if (news.lines.length > 0) expect(sum(news.lines) + news.more).toBe(sum(ofOthers))
        const withoutTies = new Set(list.map(({ lastMs }) => lastMs)).size === list.length
        if (withoutTies) expect(newsOf(list.toReversed(), all)).toEqual(news)
      }),
    )
  })

  it('a reader without the permission learns no name, no text and no number of the rest', () => {
    fc.assert(
      fc.property(some, (list) => {
        const { lines, more } = newsOf(list, plain)
        expect(more).toBe(0)
        for (const { actor, detail, type } of lines) {
          expect([actor, detail]).toEqual([null, ''])
          expect(['power', 'state']).toContain(groupOfActivity(type))
        }
      }),
    )
  })
})
