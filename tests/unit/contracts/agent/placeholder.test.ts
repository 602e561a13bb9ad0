import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { PLACEHOLDER, placeholderOf } from '#contracts/agent/placeholder.ts'

describe('a placeholder', () => {
  it.each([
    ['root', { is: 'root' }],
    ['memoryMiB', { is: 'memory' }],
    ['SERVER_MEMORY', { is: 'memory' }],
    ['server.build.memory', { is: 'memory' }],
    ['port', { is: 'port', index: null }],
    ['port:2', { is: 'port', index: 2 }],
    ['SERVER_PORT', { is: 'port', index: null }],
    ['server.build.default.port', { is: 'port', index: null }],
    ['server.build.default.ip', { is: 'ip' }],
    ['config.docker.interface', { is: 'interface' }],
    ['env:MOTD', { is: 'variable', name: 'MOTD' }],
    ['env.MOTD', { is: 'variable', name: 'MOTD' }],
    ['server.env.MOTD', { is: 'variable', name: 'MOTD' }],
    ['server.build.env.MOTD', { is: 'variable', name: 'MOTD' }],
    ['MOTD', { is: 'variable', name: 'MOTD' }],
    [' MOTD ', { is: 'variable', name: 'MOTD' }],
    ['env:SERVER_PORT', { is: 'port', index: null }],
    ['server.build.env.SERVER_MEMORY', { is: 'memory' }],
    ['program:game', { is: 'program', name: 'game' }],
  ])('%s has a meaning', (name, meaning) => {
    expect(placeholderOf(name)).toEqual(meaning)
  })

  it.each([
    'config.token',
    'config.token_id',
    'config.docker.interface.x',
    'config',
    'env',
    'env:',
    'env:a-b',
    'server.uuid',
    'server.build',
    'port:-1',
    'port:1e1',
    'port:999',
    'process.env.HOME',
    'toString',
    '__proto__',
    '',
  ])('%s has none: nothing of the node can be named [CVE-2026-52855]', (name) => {
    expect(placeholderOf(name)).toBeUndefined()
  })

  test('cannot be assembled from two, and text that looks like one stays text', () => {
    expect([...'{{a{{root}}b}}'.matchAll(PLACEHOLDER)].map(([whole]) => whole)).toEqual(['{{root}}'])
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const [, name = ''] of text.matchAll(PLACEHOLDER)) expect(name).not.toMatch(/[{}]/)
      }),
    )
  })
})
