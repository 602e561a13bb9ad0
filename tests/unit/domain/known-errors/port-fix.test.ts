import { describe, expect, it } from 'vitest'
import { propertyValues } from '../../../../src/domain/config-files/java-properties.ts'
import { failedUseOf, portPlan } from '../../../../src/domain/known-errors/port-fix.ts'
import type { FailedUse } from '../../../../src/domain/known-errors/port-fix.ts'

const PORTS = { ip: '192.0.2.7', primary: 27_100, own: [27_100, 27_101, 27_102], free: [27_101, 27_102] }
const planOf = (lines: readonly string[], failed?: FailedUse, ports = PORTS) =>
  portPlan(propertyValues(lines.join('\n')), ports, failed)
const edits = (...list: readonly (readonly [string, string | null, string])[]) => ({
  is: 'edit',
  edits: list.map(([key, from, to]) => ({ key, from, to })),
})

describe('what could not be opened', () => {
  it.each([
    ['game', '**** FAILED TO BIND TO PORT!', []],
    ['game', 'Address already in use', ['Starting Minecraft server on *:25565', '**** FAILED TO BIND TO PORT!']],
    ['rcon', 'java.net.BindException: Address already in use', ['Unable to initialise RCON on 0.0.0.0:25575']],
    [
      'query',
      'java.net.BindException: x',
      ['Starting Minecraft server on *:1', 'Unable to initialise query system on x'],
    ],
    [undefined, 'Error: listen EADDRINUSE: address already in use :::3000', []],
    [undefined, 'BindException: Address already in use', ['<Anna> Unable to initialise RCON on 0.0.0.0:25575']],
  ] as const)('%s', (use, line, above) => {
    expect(failedUseOf(line, above)).toBe(use)
  })
})

describe('the ports in server.properties', () => {
  it("become the server's own: the primary one for the game, also where the file names none", () => {
    expect(planOf(['server-port=25565'], 'game')).toEqual(edits(['server-port', '25565', '27100']))
    expect(planOf(['motd=x'], 'game')).toEqual(edits(['server-port', null, '27100']))
    expect(planOf(['server-port=25565', 'enable-query=true', 'query.port=25565'], 'game')).toEqual(
      edits(['server-port', '25565', '27100'], ['query.port', '25565', '27100']),
    )
  })

  it("stay where they are the server's own, primary or not", () => {
    expect(planOf(['server-port=27100'], 'game')).toEqual({ is: 'right' })
    expect(planOf(['server-port=27101'], 'game')).toEqual({ is: 'right' })
    expect(planOf(['server-port=27100', 'enable-rcon=false', 'rcon.port=27100'])).toEqual({ is: 'right' })
  })

  it("an address that is not the server's is cleared, and a fitting one stays", () => {
    const at = (address: string) => planOf(['server-port=27100', `server-ip=${address}`], 'game')
    expect(at('198.51.100.1')).toEqual(edits(['server-ip', '198.51.100.1', '']))
    for (const address of ['', '0.0.0.0', '::', '192.0.2.7']) expect(at(address)).toEqual({ is: 'right' })
    expect(planOf(['server-port=27100', 'server-ip=198.51.100.1'], 'rcon')).toEqual({ is: 'right' })
  })

  it("RCON on the game's port, or one that failed, gets a free port of the server", () => {
    const rcon = ['server-port=27100', 'enable-rcon=true']
    expect(planOf([...rcon, 'rcon.port=27100'], 'game')).toEqual(edits(['rcon.port', '27100', '27101']))
    expect(planOf([...rcon, 'rcon.port=25575'], 'rcon')).toEqual(edits(['rcon.port', '25575', '27101']))
    expect(planOf([...rcon, 'rcon.port=27101'], 'rcon')).toEqual(edits(['rcon.port', '27101', '27102']))
    expect(planOf(rcon)).toEqual(edits(['rcon.port', null, '27101']))
  })

  it('a game that moves onto the port of RCON moves RCON', () => {
    expect(planOf(['server-port=25565', 'enable-rcon=true', 'rcon.port=27100'], 'game')).toEqual(
      edits(['server-port', '25565', '27100'], ['rcon.port', '27100', '27101']),
    )
  })

  it("query shares the game's number, and gets another one only when that failed", () => {
    const query = ['server-port=27100', 'enable-query=true']
    expect(planOf([...query, 'query.port=27100'], 'game')).toEqual({ is: 'right' })
    expect(planOf([...query, 'query.port=25565'], 'query')).toEqual(edits(['query.port', '25565', '27100']))
    expect(planOf([...query, 'query.port=27100'], 'query')).toEqual(edits(['query.port', '27100', '27101']))
  })

  it('two that need one never get the same, and nothing is promised without a free one', () => {
    const both = ['server-port=27100', 'enable-rcon=true', 'rcon.port=27100']
    const management = ['management-server-enabled=true', 'management-server-port=27100']
    expect(planOf([...both, ...management], 'game')).toEqual(
      edits(['rcon.port', '27100', '27101'], ['management-server-port', '27100', '27102']),
    )
    expect(planOf(both, 'rcon', { ...PORTS, free: [] })).toEqual({ is: 'no-port', key: 'rcon.port' })
  })
})
