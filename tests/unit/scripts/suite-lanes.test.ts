import { describe, expect, it } from 'vitest'

import { runInLanes } from '../../../scripts/suite-lanes.mjs'

type Suite = { isBeside?: boolean; isAlone?: boolean }
const SUITES: [string, Suite][] = [
  ['types', {}],
  ['unit', {}],
  ['docker', { isBeside: true }],
  ['integration', { isAlone: true }],
  ['e2e', { isAlone: true }],
]

/** Runs suites that end when they are told to; `events` are their begins and ends, a begin beside others with a star, and what is told late. */
function lanes(suites: [string, Suite][]) {
  const events: string[] = []
  const ends = new Map<string, () => void>()
  let isStopped = false
  const results = runInLanes(suites, {
    run: async (name, _suite, { isBeside }) => {
      events.push(`${name}${isBeside ? '*' : ''}`)
      await new Promise<void>((done) => ends.set(name, done))
      events.push(`/${name}`)
      return name
    },
    tell: (name) => events.push(`told ${name}`),
    isStopped: () => isStopped,
  })
  const settled = () => new Promise((done) => setImmediate(done))
  const end = async (name: string) => {
    await settled()
    ends.get(name)?.()
    await settled()
  }
  return { events, end, results, stop: () => (isStopped = true) }
}

describe('suites in lanes', () => {
  it('run one after the other, beside the one that mostly waits', async () => {
    const { events, end, results } = lanes(SUITES)
    for (const name of ['types', 'unit', 'docker', 'integration', 'e2e']) await end(name)
    expect(await results).toEqual(['types', 'unit', 'docker', 'integration', 'e2e'])
    const first = ['docker*', 'types', '/types', 'unit', '/unit', '/docker', 'told docker']
    expect(events).toEqual([...first, 'integration', '/integration', 'e2e', '/e2e'])
  })

  it('are told in the order of the list, whichever ends first, and none in the middle of another', async () => {
    const { events, end, results } = lanes(SUITES)
    for (const name of ['docker', 'types', 'unit', 'integration', 'e2e']) await end(name)
    expect(await results).toEqual(['types', 'unit', 'docker', 'integration', 'e2e'])
    expect(events.slice(0, 7)).toEqual(['docker*', 'types', '/docker', '/types', 'unit', '/unit', 'told docker'])
  })

  it('run in the foreground where there is nothing to run beside', async () => {
    const { events, end, results } = lanes([SUITES[2], SUITES[3]].filter((each) => each !== undefined))
    await end('docker')
    await end('integration')
    await results
    expect(events).toEqual(['docker', '/docker', 'integration', '/integration'])
  })

  it('begin no more once they are stopped, and those that run are waited for', async () => {
    const { events, end, results, stop } = lanes(SUITES)
    stop()
    await end('types')
    expect(events).toEqual(['docker*', 'types', '/types'])
    await end('docker')
    expect(await results).toEqual(['types', 'docker'])
  })
})
