import { describe, expect, it } from 'vitest'

import { runInLanes } from '../../../../scripts/suites/suite-lanes.mjs'

type Suite = { isBeside?: boolean; needs?: string }
const SUITES: [string, Suite][] = [
  ['types', { isBeside: true }],
  ['unit', {}],
  ['docker', { isBeside: true }],
  ['build', {}],
  ['system', { isBeside: true, needs: 'build' }],
  ['e2e', { needs: 'build' }],
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
  it('follow one another in two lanes, and each result stands in the order of the list', async () => {
    const { events, end, results } = lanes(SUITES)
    for (const name of ['unit', 'build', 'e2e', 'types', 'docker', 'system']) await end(name)
    expect(await results).toEqual(SUITES.map(([name]) => name))
    const first = ['types*', 'unit', '/unit', 'build', '/build', 'e2e', '/e2e']
    const beside = ['/types', 'docker*', '/docker', 'system*', '/system']
    expect(events).toEqual([...first, ...beside, 'told types', 'told docker', 'told system'])
  })

  it('begin after the one that they need, although their lane is free', async () => {
    const { events, end, results } = lanes(SUITES)
    for (const name of ['types', 'docker', 'unit']) await end(name)
    expect(events).not.toContain('system*')
    await end('build')
    expect(events).toContain('system*')
    for (const name of ['system', 'e2e']) await end(name)
    await results
  })

  it('are told what ran beside them between two of them, and never in the middle of one', async () => {
    const { events, end, results } = lanes(SUITES)
    for (const name of ['types', 'docker', 'unit', 'build', 'e2e', 'system']) await end(name)
    await results
    const told = [
      '/types',
      'docker*',
      '/docker',
      '/unit',
      'told types',
      'told docker',
      'build',
      '/build',
      'system*',
      'e2e',
    ]
    expect(events).toEqual(['types*', 'unit', ...told, '/e2e', '/system', 'told system'])
  })

  it('run in the foreground where there is nothing to run beside', async () => {
    const { events, end, results } = lanes(SUITES.filter(([, { isBeside }]) => isBeside))
    for (const name of ['types', 'docker', 'system']) await end(name)
    await results
    expect(events).toEqual(['types', '/types', 'docker', '/docker', 'system', '/system'])
  })

  it('begin no more once they are stopped, and those that run are waited for', async () => {
    const { events, end, results, stop } = lanes(SUITES)
    await end('')
    stop()
    await end('types')
    expect(events).toEqual(['types*', 'unit', '/types'])
    await end('unit')
    expect(await results).toEqual(['types', 'unit'])
  })
})
