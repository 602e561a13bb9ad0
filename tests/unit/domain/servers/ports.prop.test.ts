import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  portUse,
  refuseRemoval,
  variablesNaming,
  withPrimary,
  type PortFacts,
} from '../../../../src/domain/servers/ports.ts'

const PORTS = [25_565, 25_566, 25_567, 25_568] as const
const NAMES = ['PORT', 'QUERY_PORT', 'RCON_PORT', 'MAX_PLAYERS'] as const

const server = fc
  .record({
    ports: fc.shuffledSubarray([...PORTS], { minLength: 1 }),
    environment: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...PORTS.map(String), '20', '')),
    places: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  })
  .map(({ ports, environment, places }): PortFacts => ({
    allocations: ports.map((port, place) => ({ ip: '192.0.2.1', port, primary: place === 0 })),
    environment,
    programs: [places.map((place) => `{{port:${place}}}`)],
  }))

/** The port that each role of the server finds: the primary port, each place, each variable. */
const rolesOf = (facts: PortFacts) => ({
  places: facts.allocations.map(({ port }) => port),
  variables: Object.entries(facts.environment),
})

it('any sequence of primary ports leaves the same ports, one primary at the first place, and every role a port of its own', () => {
  fc.assert(
    fc.property(server, fc.array(fc.constantFrom(...PORTS), { maxLength: 8 }), (facts, wishes) => {
      let present = facts
      for (const port of wishes) present = { ...present, ...withPrimary(present, port) }
      const { allocations } = present
      expect(allocations.map(({ port }) => port).toSorted()).toEqual(
        facts.allocations.map(({ port }) => port).toSorted(),
      )
      expect(allocations.map(({ primary }) => primary)).toEqual(facts.allocations.map((_, place) => place === 0))
      // A variable names the port at the place that it named before, whatever its number is now.
      for (const [place, { port }] of facts.allocations.entries()) {
        expect(variablesNaming(present, allocations[place]?.port ?? 0)).toEqual(variablesNaming(facts, port))
      }
    }),
  )
})

it('the same wish twice is one wish, and the way back leads back', () => {
  fc.assert(
    fc.property(server, fc.constantFrom(...PORTS), (facts, port) => {
      const once = { ...facts, ...withPrimary(facts, port) }
      expect(rolesOf({ ...once, ...withPrimary(once, port) })).toEqual(rolesOf(once))
      const before = facts.allocations[0]?.port ?? 0
      expect(rolesOf({ ...once, ...withPrimary(once, before) })).toEqual(rolesOf(facts))
    }),
  )
})

it('a port that may be removed is free, and its removal moves no place that a program names', () => {
  fc.assert(
    fc.property(server, fc.constantFrom(...PORTS), (facts, port) => {
      if (refuseRemoval(facts, port) !== null) return
      expect(portUse(facts, port)).toEqual({ isPrimary: false, byProgram: false, variables: [] })
      const kept = facts.allocations.filter((each) => each.port !== port)
      const named = facts.programs.flat().map((part) => Number(/\d+/.exec(part)?.[0]))
      for (const place of named) expect(kept[place]).toEqual(facts.allocations[place])
    }),
  )
})
