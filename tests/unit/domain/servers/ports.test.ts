import { describe, expect, it } from 'vitest'
import {
  hasPort,
  isPortVariable,
  namedPlaces,
  needsRestart,
  portLimitOf,
  portUse,
  refuseRemoval,
  renumbered,
  typedAddress,
  variablesNaming,
  withPrimary,
  type PortFacts,
} from '../../../../src/domain/servers/ports.ts'

const own = (port: number, primary = false) => ({ ip: '192.0.2.1', port, primary })
const facts = (change: Partial<PortFacts> = {}): PortFacts => ({
  allocations: [own(25_565, true), own(25_566), own(25_567)],
  programs: [['./game', '--port', '{{port}}']],
  environment: {},
  ...change,
})

describe('which variable names a port', () => {
  it.each([
    ['PORT', true],
    ['QUERY_PORT', true],
    ['SERVER_WEBPORT', true],
    ['STEAM_PORT2', true],
    ['PORT_OF_RCON', true],
    ['SUPPORT', false],
    ['TRANSPORT_MODE', false],
    ['MAX_PLAYERS', false],
    ['PORTAL', false],
  ])('%s: %s', (name, expected) => {
    expect(isPortVariable(name)).toBe(expected)
  })

  it('names it by its number, with blanks around it, and no other', () => {
    const environment = { QUERY_PORT: ' 25566 ', RCON_PORT: '25567', MAX_PLAYERS: '25566', PORT: '255660' }
    expect(variablesNaming({ environment }, 25_566)).toEqual(['QUERY_PORT'])
  })
})

describe('what a port is for', () => {
  it('counts the places that arguments name', () => {
    expect(
      namedPlaces({
        programs: [
          ['a', '--port={{port}}'],
          ['--x', '{{port:1}}/{{port:3}}'],
        ],
      }),
    ).toBe(4)
    expect(namedPlaces({ programs: [] })).toBe(0)
  })

  it('an argument of any program names all ports up to its place', () => {
    const named = facts({ programs: [['./game'], ['./install', '{{port:1}}']] })
    expect(portUse(named, 25_566)).toEqual({ isPrimary: false, byProgram: true, variables: [] })
    expect(portUse(named, 25_567)).toEqual({ isPrimary: false, byProgram: false, variables: [] })
  })

  it('a port that the server does not have is for nothing', () => {
    expect(portUse(facts({ programs: [['{{port:5}}']] }), 1)).toEqual({
      isPrimary: false,
      byProgram: false,
      variables: [],
    })
  })
})

describe('a port is kept', () => {
  it('while it is the primary one, even if a variable names it too', () => {
    expect(refuseRemoval(facts({ environment: { PORT: '25565' } }), 25_565)).toEqual({ code: 'PORT_IS_PRIMARY' })
  })

  it('while a variable names it, by the name of the variable', () => {
    const named = facts({ environment: { QUERY_PORT: '25566' } })
    expect(refuseRemoval(named, 25_566)).toEqual({ code: 'PORT_IN_USE', variable: 'QUERY_PORT' })
    expect(refuseRemoval(named, 25_567)).toBeNull()
    const linked = { ...facts({ environment: { QUERY: '25567' } }), linked: ['QUERY'] }
    expect(refuseRemoval(linked, 25_567)).toEqual({ code: 'PORT_IN_USE', variable: 'QUERY' })
  })

  it('while an argument names it, or one that would move up', () => {
    const named = facts({ programs: [['{{ port:2 }}']] })
    expect(refuseRemoval(named, 25_566)).toEqual({ code: 'PORT_IN_PROGRAM' })
    expect(refuseRemoval(named, 25_567)).toEqual({ code: 'PORT_IN_PROGRAM' })
  })
})

describe('another primary port', () => {
  it('changes places with the one before, and variables of both follow', () => {
    const environment = { GAME_PORT: '25565', QUERY_PORT: '25567', RCON_PORT: '25566', MAX_PLAYERS: '25565' }
    expect(withPrimary({ ...facts(), environment }, 25_567)).toEqual({
      allocations: [own(25_567, true), own(25_566), own(25_565)],
      environment: { GAME_PORT: '25567', QUERY_PORT: '25565', RCON_PORT: '25566', MAX_PLAYERS: '25565' },
    })
  })

  it('that is the primary one already changes nothing', () => {
    const { allocations } = facts()
    expect(withPrimary({ allocations, environment: { PORT: '25565' } }, 25_565)).toEqual({
      allocations,
      environment: { PORT: '25565' },
    })
  })

  it('has to be a port of the server', () => {
    expect(withPrimary(facts(), 443)).toBeNull()
    expect(withPrimary({ allocations: [], environment: {} }, 443)).toBeNull()
  })
})

it('variables with another port, or that hold none, keep their value', () => {
  const environment = { A_PORT: '1', B_PORT: '3', PORT: 'auto', NAME: '1' }
  expect(renumbered(environment, new Map([[1, 2]]))).toEqual({ A_PORT: '2', B_PORT: '3', PORT: 'auto', NAME: '1' })
})

describe('the ports of the running program', () => {
  it('are those between whose generations it was started', () => {
    expect([1, 2, 3, 4].map((generation) => hasPort({ addedIn: 2, removedIn: 4 }, generation))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(hasPort({ addedIn: 2, removedIn: null }, 9)).toBe(true)
  })

  const restart = (ports: Parameters<typeof needsRestart>[0], running: number | null, primarySetIn = 1) =>
    needsRestart(ports, { primarySetIn, runningGeneration: running })

  it('a new, a removed or another primary port needs a restart', () => {
    const kept = { addedIn: 1, removedIn: null }
    expect(restart([kept], 3)).toBe(false)
    expect(restart([kept, { addedIn: 4, removedIn: null }], 3)).toBe(true)
    expect(restart([kept, { addedIn: 1, removedIn: 4 }], 3)).toBe(true)
    expect(restart([kept], 3, 4)).toBe(true)
  })

  it('nothing needs a restart while nothing runs, and a port that came and went since does not either', () => {
    expect(restart([{ addedIn: 4, removedIn: null }], null)).toBe(false)
    expect(restart([{ addedIn: 4, removedIn: 5 }], 3)).toBe(false)
  })
})

it('a server may have three ports beyond those of its template', () => {
  expect([1, 4].map(portLimitOf)).toEqual([4, 7])
})

it('an IPv6 address has brackets before its port', () => {
  expect(typedAddress('192.0.2.1', 25_565)).toBe('192.0.2.1:25565')
  expect(typedAddress('2001:db8::1', 25_565)).toBe('[2001:db8::1]:25565')
})
