// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ShownVoting } from '#contracts/summary/voting.ts'
import { VotingPanel } from '../../../../src/features/summary/voting-panel.tsx'
import { listedId } from '../../../support/listed-servers.ts'
import { eventually, held, refused, shownPage, type Answer, type ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const ID = listedId(700)
const VOTE = `POST /api/voting/${ID}/vote`
const votingOf = (facts: Partial<ShownVoting> = {}): ShownVoting => ({
  id: ID,
  question: 'Which game next?',
  state: 'active',
  endsAt: '2026-11-30T11:00:00.000Z',
  ownOption: null,
  votes: 1_213,
  options: ['Palworld', 'Rust', 'Valheim'].map((text) => ({ id: text.toLowerCase(), text, votes: null })),
  ...facts,
})
const counted = (counts: readonly number[], facts: Partial<ShownVoting> = {}): ShownVoting => {
  const { options } = votingOf()
  return votingOf({
    votes: counts.reduce((sum, count) => sum + count, 0),
    options: options.map((option, at) => ({ ...option, votes: counts[at] ?? 0 })),
    ...facts,
  })
}
const open = (voting: ShownVoting | null, answers: Record<string, Answer> = {}) => {
  page = shownPage(<VotingPanel />, { 'GET /api/voting': () => Response.json({ voting }), ...answers })
}
const radios = () => [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')]
const rows = () => [...document.querySelectorAll('.vote-results li')].map((row) => row.textContent)
const press = async (text: string) => (await page.see<HTMLButtonElement>('button', text)).click()
const sent = () => page.calls.filter(({ name }) => name === VOTE).map(({ body }) => body)

test('a question with its options, their end and the number of votes, and no result before the own vote', async () => {
  open(votingOf())
  await page.see('legend', 'Which game next?')
  expect(radios().map(({ checked }) => checked)).toEqual([false, false, false])
  expect(new Set(radios().map(({ name }) => name)).size).toBe(1)
  expect(page.text()).toMatch(/until 30\sNov,\s12:00/)
  expect(page.text()).toContain('1,213 votes so far')
  expect(rows()).toEqual([])
  expect(page.find('button', 'Change my vote')).toBeUndefined()
})

test('a vote shows the result with the own choice marked, and the focus is at it', async () => {
  open(votingOf(), { [VOTE]: () => Response.json({ voting: counted([1, 2, 4], { ownOption: 'rust' }) }) })
  await page.see('legend')
  radios()[1]?.click()
  await press('Vote')
  await eventually(() =>
    expect(rows()).toEqual(['Palworld14%1 vote', 'Rust(your vote)29%2 votes', 'Valheim57%4 votes']),
  )
  expect(sent()).toEqual([{ option: 'rust' }])
  await eventually(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Which game next?'))
  const widths = [...document.querySelectorAll<HTMLElement>('.vote-bar span')].map(({ style }) => style.width)
  expect(widths).toEqual(['14%', '29%', '57%'])
})

test('without a choice nothing is sent, the sentence says it, and the focus is at the first option', async () => {
  open(votingOf())
  await press('Vote')
  await page.see('[role=alert]', 'Choose an option first.')
  expect(sent()).toEqual([])
  expect(document.activeElement).toBe(radios()[0])
})

test('a vote can be changed: the own choice is checked and has the focus, and cancelling keeps it', async () => {
  open(counted([1, 2, 4], { ownOption: 'rust' }), {
    [VOTE]: () => Response.json({ voting: counted([2, 1, 4], { ownOption: 'palworld' }) }),
  })
  await press('Change my vote')
  await eventually(() => expect(document.activeElement).toBe(radios()[1]))
  expect(radios()[1]?.checked).toBe(true)
  await press('Cancel')
  await eventually(() => expect(rows()[1]).toBe('Rust(your vote)29%2 votes'))
  await press('Change my vote')
  await page.see('legend')
  radios()[0]?.click()
  await press('Vote')
  await eventually(() => expect(rows()[0]).toBe('Palworld(your vote)29%2 votes'))
  expect(sent()).toEqual([{ option: 'palworld' }])
})

test('a vote that came after the end is explained beside the result, and cannot be changed', async () => {
  let voting = votingOf()
  open(null, {
    'GET /api/voting': () => Response.json({ voting }),
    [VOTE]: () => {
      voting = counted([1, 2, 4], { state: 'ended' })
      return refused('VOTING_ENDED')
    },
  })
  await page.see('legend')
  radios()[0]?.click()
  await press('Vote')
  await page.see('.vote-results li', 'Rust')
  expect(page.text()).toContain('The words of VOTING_ENDED.')
  expect(page.text()).toContain('ended 30 Nov')
  expect(page.text()).toContain('7 votes in total')
  expect(document.querySelectorAll('button')).toHaveLength(0)
})

test('an option that is gone is explained, and a choice of what is left counts', async () => {
  let voting = votingOf()
  open(null, {
    'GET /api/voting': () => Response.json({ voting }),
    [VOTE]: ({ body }) => {
      if ((body as { option: string }).option === 'rust') {
        voting = votingOf({ options: votingOf().options.filter(({ id }) => id !== 'rust') })
        return refused('VOTE_OPTION_GONE')
      }
      return Response.json({ voting: counted([1, 0, 0], { ownOption: 'palworld' }) })
    },
  })
  await page.see('legend')
  radios()[1]?.click()
  await press('Vote')
  await page.see('[role=alert]', 'The words of VOTE_OPTION_GONE.')
  await eventually(() => expect(radios()).toHaveLength(2))
  radios()[0]?.click()
  await press('Vote')
  await eventually(() => expect(rows()[0]).toBe('Palworld(your vote)100%1 vote'))
})

test('it waits with bars in its place, and a failure says that a vote is safe', async () => {
  const late = held()
  open(null, { 'GET /api/voting': () => late.response })
  await eventually(() => expect(document.querySelectorAll('.skel').length).toBeGreaterThan(0))
  late.settle(refused('CONTROL_PLANE_UNAVAILABLE'))
  await page.see('[role=alert]', "The poll didn't load. If you have voted, your vote is safe.")
  await page.see('button', 'Try again')
})
