import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withKnownErrors } from '../../../../src/domain/known-errors/match.ts'
import { KNOWN_ERRORS } from '../../../../src/domain/known-errors/rules.ts'

const FOLDER = new URL('../../../fixtures/logs/', import.meta.url)
/** The rule of each log; null where nothing is wrong, `unknown` where a person sees an error that no rule has. */
const expectations = JSON.parse(readFileSync(new URL('expectations.json', FOLDER), 'utf8')) as Record<
  string,
  string | null
>

const foundIn = (name: string): readonly string[] => {
  const lines = readFileSync(new URL(`${name}.log`, FOLDER), 'utf8').split('\n')
  return withKnownErrors(
    [],
    lines.map((text, index) => ({ seq: index + 1, text })),
  ).map(({ id }) => id)
}

it('every log has an expectation', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.log'))
  expect(names.map((name) => name.slice(0, -4)).sort()).toEqual(Object.keys(expectations).sort())
  expect(names.length).toBeGreaterThan(50)
})

it('at least four of five errors are found, nothing else is, and no quiet log raises a card', () => {
  const logs = Object.entries(expectations).map(([name, wanted]) => ({ name, wanted, found: foundIn(name) }))
  const quiet = logs.filter(({ wanted }) => wanted === null)
  const loud = logs.filter(({ wanted }) => wanted !== null)
  const missed = loud.filter(({ wanted, found }) => !found.includes(wanted ?? ''))
  const wrong = logs.filter(({ wanted, found }) => found.some((id) => id !== wanted))
  const part = (loud.length - missed.length) / loud.length
  console.log(
    `known errors: ${logs.length} logs, ${quiet.length} of them quiet; ${(part * 100).toFixed(1)} % matched, ${wrong.length} wrong; missed: ${missed.map(({ name }) => name).join(', ')}`,
  )
  expect(wrong).toEqual([])
  expect(quiet.length).toBeGreaterThanOrEqual(12)
  expect(part).toBeGreaterThanOrEqual(0.8)
})

it('each problem is put right in its card with a way back, started again, or only led to a page', () => {
  const idsOf = (...fixes: readonly string[]) =>
    KNOWN_ERRORS.filter(({ fix }) => fixes.includes(fix)).map(({ id }) => id)
  const groups = {
    inTheCard: idsOf(
      'accept-eula',
      'choose-java',
      'disable-plugin',
      'fix-ports',
      'restore-world',
      'fit-heap',
      'free-storage',
    ),
    byAStart: idsOf('start'),
    onAPage: idsOf('startup', 'files'),
    explained: idsOf('none'),
  }
  expect(groups).toEqual({
    inTheCard: [
      'eula',
      'java-version',
      'port-in-use',
      'out-of-memory',
      'disk-full',
      'world-corrupt',
      'missing-plugin',
      'bad-plugin',
    ],
    byAStart: ['world-locked'],
    onAPage: ['no-jar', 'missing-module', 'no-start-file', 'licence-key', 'permission', 'bad-settings', 'syntax'],
    explained: ['session-servers'],
  })
  expect(Object.values(groups).flat()).toHaveLength(KNOWN_ERRORS.length)
})
