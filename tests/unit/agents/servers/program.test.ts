import { givenSource } from '#contracts/agent/placeholder.ts'
import { describe, expect, it } from 'vitest'

import { environmentOf, resolveProgram, type ProgramContext } from '../../../../agents/servers/program.ts'
import { buildServerSpec } from '../../../factories/server-spec.ts'

const context = (environment: Record<string, string> = {}): ProgramContext => ({
  spec: buildServerSpec({ environment }),
  rootFolder: '/data/root',
  nodePath: '/usr/bin/node',
  npmCommand: ['/usr/bin/node', '/usr/lib/npm.js'],
  searchPath: '/usr/bin',
  listenIp: (ip) => ip,
  caBundle: undefined,
  program: (name) => (name === 'game' ? ['/dist/programs/game.mjs'] : undefined),
})

describe('programs of templates', () => {
  it('fills every placeholder of the contract', () => {
    const argv = ['node', '--max={{memoryMiB}}', '{{program:game}}', '{{root}}/{{env:FILE}}', '{{port}}', '{{port:0}}']
    expect(resolveProgram({ argv }, context({ FILE: 'a.js' }))).toEqual({
      ok: true,
      argv: ['/usr/bin/node', '--max=512', '/dist/programs/game.mjs', '/data/root/a.js', '25565', '25565'],
    })
  })

  it.each(['"; rm -rf /', '$(id)', '`id`', '--flag', '{{root}}', '{{program:game}}', 'a\nb', '${HOST}'])(
    'keeps the value %j one literal argument [case 114]',
    (value) => {
      const resolved = resolveProgram({ argv: ['x', '{{env:NAME}}'] }, context({ NAME: value }))
      expect(resolved).toEqual({ ok: true, argv: ['x', value] })
    },
  )

  it.each([
    '{{program:../../etc/passwd}}',
    '{{program:}}',
    '--import={{program:game}}',
    '{{env:MISSING}}',
    '{{env:constructor}}',
    '{{config.token}}',
  ])('refuses %s', (part) => {
    expect(resolveProgram({ argv: ['node', part] }, context())).toMatchObject({ ok: false, detail: expect.any(String) })
  })

  it('refuses NUL, which would end the argument for the system', () => {
    expect(resolveProgram({ argv: ['x', '{{env:NAME}}'] }, context({ NAME: 'a\0b' })).ok).toBe(false)
  })

  it('gives the variables of the node its own values, in the environment and in the command', () => {
    const names = ['SERVER_PORT', 'SERVER_IP', 'SERVER_MEMORY']
    const given = context(Object.fromEntries(names.map((name) => [name, 'of the template'])))
    const environment = environmentOf(given, 'server', { registry: undefined })
    const own = names.map((name) => environment[name])
    expect(own).toEqual(['25565', expect.any(String), '512'])
    expect(own).not.toContain('of the template')
    const argv = names.map((name) => `{{env:${name}}}`)
    expect(resolveProgram({ argv: ['x', ...argv] }, given)).toEqual({ ok: true, argv: ['x', ...own] })
    expect(names.map(givenSource)).not.toContain(undefined)
  })

  it('never lets a variable reach the loader, Node, npm or the agent', () => {
    const names = ['LD_PRELOAD', 'NODE_OPTIONS', 'PATH', 'HOME', 'BAKTER_TASK', 'npm_config_registry']
    const environment = Object.fromEntries(names.map((name) => [name, 'evil']))
    const result = environmentOf(context({ ...environment, MOTD: 'hi' }), 'install', { registry: undefined })
    expect(Object.values(result)).not.toContain('evil')
    expect(result).toMatchObject({ MOTD: 'hi', HOME: '/data/root', SERVER_PORT: '25565', SERVER_MEMORY: '512' })
  })
})

describe('the time zone of a server', () => {
  it('reaches the program as TZ, and without one the machine decides', () => {
    const zoned = { ...context(), spec: { ...context().spec, timeZone: 'Asia/Tokyo' } }
    expect(environmentOf(zoned, 'server', { registry: undefined })['TZ']).toBe('Asia/Tokyo')
    for (const timeZone of [null, undefined]) {
      const machine = { ...context(), spec: { ...context().spec, timeZone } }
      expect(environmentOf(machine, 'server', { registry: undefined })).not.toHaveProperty('TZ')
    }
  })
})
