import { expect, it } from 'vitest'
import { failedPortOf, portVariablePlan } from '../../../../src/domain/known-errors/port-variable-fix.ts'
import type { PortVariable } from '../../../../src/domain/known-errors/port-variable-fix.ts'

const variable = (environmentVariable: string, value: string, more: Partial<PortVariable> = {}): PortVariable => ({
  environmentVariable,
  name: `The ${environmentVariable}`,
  rules: '',
  editable: true,
  secret: false,
  value,
  isDefault: false,
  port: null,
  ...more,
})
const PORTS = [
  { port: 25_000, primary: true },
  { port: 26_000, primary: false },
  { port: 27_000, primary: false },
]
const plan = (
  variables: readonly PortVariable[],
  { command = [], failed = 3_000, ports = PORTS }: { command?: string[]; failed?: number; ports?: typeof PORTS } = {},
) => portVariablePlan({ variables, ports, command }, failed)

it.each([
  ['Error: listen EADDRINUSE: address already in use :::3000', [], 3_000],
  ['Error: listen EADDRINUSE: address already in use 0.0.0.0:8080', [], 8_080],
  ["ERROR: Could not bind on interface 'any' and port '22003' - is this address valid and free?", [], 22_003],
  ['Could not bind on 0.0.0.0:30120 - is this address valid and not already in use?', [], 30_120],
  ['**** FAILED TO BIND TO PORT!', ['[12:04:31] [Server thread/INFO]: Starting Minecraft server on *:25565'], 25_565],
  ['OSError: [Errno 98] Address already in use', [], undefined],
  ['**** FAILED TO BIND TO PORT!', ['<Alex> address already in use :::3000'], undefined],
])('of "%s" the failed port is named or unknown', (line, above, port) => {
  expect(failedPortOf(line, above)).toBe(port)
})

it('a variable that only its name calls a port gets one beside the primary, and its earlier value is the way back', () => {
  expect(plan([variable('WEB_PORT', '3000')])).toEqual({
    is: 'edit',
    variable: 'WEB_PORT',
    name: 'The WEB_PORT',
    from: '3000',
    to: '26000',
    port: 26_000,
    before: '3000',
  })
  expect(plan([variable('WEB_PORT', '3000', { isDefault: true })])).toMatchObject({ before: null })
})

it('the primary port, which a game opens whether or not something names it, is never given away', () => {
  expect(plan([variable('WEB_PORT', '8100')], { failed: 8_100, ports: PORTS.slice(0, 1) })).toEqual({
    is: 'no-port',
    name: 'The WEB_PORT',
  })
})

it.each(['SERVER_WEBPORT', 'PORT2', 'QUERYPORT'])('%s is a port, as it is on the page of the ports', (name) => {
  expect(plan([variable(name, '3000')])).toMatchObject({ variable: name, to: '26000' })
  expect(plan([variable('WEB_PORT', '3000'), variable(name, '26000')])).toMatchObject({ to: '27000' })
})

it('a port that another variable or the program names is given to nobody else', () => {
  const web = variable('WEB_PORT', '3000')
  expect(plan([web, variable('GAME_PORT', ' 26000')])).toMatchObject({ to: '27000' })
  expect(plan([web, variable('GAME', '26000', { port: { link: '26000' } })])).toMatchObject({ to: '27000' })
  expect(plan([web], { command: ['--query', '{{port:1}}'] })).toMatchObject({ to: '27000' })
  expect(plan([web, variable('GAME_PORT', '27000')], { command: ['{{port:1}}'] })).toEqual({
    is: 'no-port',
    name: 'The WEB_PORT',
  })
})

it('a value that the rules of the variable refuse is never offered', () => {
  const web = variable('WEB_PORT', '3000', { rules: 'required|integer|between:26500,27500' })
  expect(plan([web])).toMatchObject({ to: '27000' })
  expect(plan([{ ...web, rules: 'required|integer|between:1,5000' }])).toMatchObject({ is: 'no-port' })
})

it('a port that the template links keeps its link as the way back; one with a foreign number has none', () => {
  const game = variable('GAME', '25000', { port: { link: 'primary' } })
  const query = variable('QUERY', '25000', { port: { link: 'primary' }, editable: false })
  expect(plan([game, query], { failed: 25_000 })).toMatchObject({ variable: 'GAME', to: '26000', before: 'primary' })
  expect(plan([variable('GAME', '3000', { port: { link: null } })])).toBeUndefined()
})

it("a linked port follows the primary one where nothing has it, and goes back to the template's own", () => {
  const game = variable('GAME', '26000', { port: { link: '26000' } })
  const query = variable('QUERY', '26000', { port: { link: '26000' }, editable: false })
  expect(plan([game, query], { failed: 26_000 })).toMatchObject({ to: 'primary', port: 25_000, before: '26000' })
  expect(plan([{ ...game, isDefault: true }, query], { failed: 26_000 })).toMatchObject({ before: null })
  expect(plan([game, query], { failed: 26_000, command: ['-port', '{{port}}'] })).toMatchObject({ to: '27000' })
})

it("a port of the server's own that nobody else names is right", () => {
  expect(plan([variable('GAME_PORT', '25000')], { failed: 25_000 })).toEqual({ is: 'right', name: 'The GAME_PORT' })
})

it('nothing is planned for a number that is no port, a closed variable, or several that hold the port', () => {
  expect(plan([variable('MAX_PLAYERS', '3000')])).toBeUndefined()
  expect(plan([variable('WEB_PORT', '3000', { editable: false })])).toBeUndefined()
  expect(plan([variable('WEB_PORT', '3000', { secret: true })])).toBeUndefined()
  expect(plan([variable('WEB_PORT', '3000'), variable('API_PORT', '3000')])).toBeUndefined()
  expect(portVariablePlan({ variables: [variable('WEB_PORT', '3000')], ports: PORTS, command: [] }, undefined)).toBe(
    undefined,
  )
})
