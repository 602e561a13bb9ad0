import { expect, test } from 'vitest'
import { unavailability } from '../../../../src/domain/servers/availability.ts'

const game = (runtimes: string[], hasImages = true) => ({
  category: 'gameServer',
  template: { runtimes, hasImages },
})

test.each([
  ['a VPS', { ...game(['docker']), category: 'vps' }, ['docker'], 'vps'],
  ['a service without a template', { category: 'gameServer', template: undefined }, ['docker'], 'template'],
  ['without any node', game(['docker']), [], 'node'],
  ['containers on a node of processes', game(['docker']), ['process'], 'runtime'],
  ['containers without an image', game(['docker'], false), ['docker'], 'image'],
  ['containers on a node with Docker', game(['docker']), ['process', 'docker'], null],
  ['processes without an image', game(['process', 'docker'], false), ['process'], null],
  ['anything on a node of a test', game(['docker'], false), ['fake'], null],
] as const)('the reason for %s', (_name, offered, nodes, reason) => {
  expect(unavailability(offered, nodes)).toBe(reason)
})
