import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decideStartupChange, type WantedValues } from '#domain/startup/decide-change.ts'

const variable = (environmentVariable: string, preset: string, rules = '', more = {}) => ({
  environmentVariable,
  default: preset,
  editable: true,
  rules,
  port: null,
  ...more,
})
const VARIABLES = [
  variable('MAX_PLAYERS', '20', 'required|integer|between:1,200'),
  variable('MOTD', 'Hello', 'nullable|string|max:59'),
  variable('HOST_KEY', 'x', '', { editable: false }),
  variable('GAME_PORT', '', '', { port: 0 }),
  variable('QUERY_PORT', '', '', { port: 1 }),
]
const PORTS = [
  { port: 25_565, primary: true },
  { port: 25_566, primary: false },
]
const PRESENT = { environment: { MAX_PLAYERS: '20', MOTD: 'Hello', OWN: 'kept' }, portLinks: {} }
const decide = (wanted: WantedValues, present: Parameters<typeof decideStartupChange>[1] = PRESENT) =>
  decideStartupChange({ variables: VARIABLES, ports: PORTS }, present, wanted)

describe('a change of start-up variables', () => {
  it('changes what is wanted and keeps the rest', () => {
    expect(decide({ MAX_PLAYERS: '40' })).toEqual({
      ok: true,
      values: { environment: { MAX_PLAYERS: '40', MOTD: 'Hello', OWN: 'kept' }, portLinks: {} },
      changed: ['MAX_PLAYERS'],
    })
  })

  it('takes what is typed for a variable that staff have made an ordinary one', () => {
    const present = { ...PRESENT, portLinks: { MOTD: 'primary', GAME_PORT: 'primary' } } as const
    expect(decide({ MOTD: 'Hi' }, present)).toMatchObject({
      values: { environment: { MOTD: 'Hi' }, portLinks: { GAME_PORT: 'primary' } },
    })
    expect(decide({ MOTD: 'Hi' }, present)).not.toHaveProperty('values.portLinks.MOTD')
  })

  it('resets to the default of the template', () => {
    const present = { ...PRESENT, environment: { MAX_PLAYERS: '50' } }
    expect(decide({ MAX_PLAYERS: null }, present)).toMatchObject({
      values: { environment: { MAX_PLAYERS: '20' } },
      changed: ['MAX_PLAYERS'],
    })
  })

  it('names nothing that stays what it is', () => {
    expect(decide({ MAX_PLAYERS: '20', MOTD: null })).toMatchObject({ ok: true, changed: [] })
  })

  it('links a variable to a port, by the choice or by the place of the template', () => {
    expect(decide({ GAME_PORT: 'primary', QUERY_PORT: null })).toMatchObject({
      values: {
        environment: { GAME_PORT: '25565', QUERY_PORT: '25566' },
        portLinks: { GAME_PORT: 'primary', QUERY_PORT: '25566' },
      },
      changed: ['GAME_PORT', 'QUERY_PORT'],
    })
  })

  it.each([
    ['a value that a rule refuses', { MAX_PLAYERS: '0' }, { MAX_PLAYERS: { code: 'atLeast', limit: '1' } }],
    ['a variable of the host', { HOST_KEY: 'mine' }, { HOST_KEY: { code: 'locked' } }],
    ['a variable that the template does not have', { PATH: '/x' }, { PATH: { code: 'unknown' } }],
    ['a variable that is only in the environment', { OWN: '1' }, { OWN: { code: 'unknown' } }],
    ['a port of somebody else', { GAME_PORT: '22' }, { GAME_PORT: { code: 'ownPort' } }],
    [
      'all of them together',
      { MAX_PLAYERS: 'x', PATH: '/x', MOTD: 'ok' },
      { MAX_PLAYERS: { code: 'whole' }, PATH: { code: 'unknown' } },
    ],
  ])('refuses %s, and then changes nothing', (_, wanted, faults) => {
    expect(decide(wanted)).toEqual({ ok: false, faults })
  })

  test('only editable variables of the template change, whatever is asked for', () => {
    const names = ['MAX_PLAYERS', 'MOTD', 'HOST_KEY', 'GAME_PORT', 'PATH', 'OWN', '__proto__']
    const values = fc.oneof(fc.constant(null), fc.string(), fc.nat().map(String), fc.constant('primary'))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), values), (wanted) => {
        const decided = decide(wanted)
        if (!decided.ok) return
        const editable = new Set(VARIABLES.filter((each) => each.editable).map((each) => each.environmentVariable))
        expect(decided.changed.every((name) => editable.has(name))).toBe(true)
        expect(decided.values.environment).toMatchObject({ OWN: 'kept' })
      }),
    )
  })
})
