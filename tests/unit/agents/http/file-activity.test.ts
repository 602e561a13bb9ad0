import { expect, it } from 'vitest'
import { activityOf, transferActivities } from '../../../../agents/http/file-activity.ts'

it('names what was done of several things, and how many more', () => {
  const paths = ['a', 'b', 'c']
  expect(activityOf('delete', { paths, forever: false }, { refusals: [null, 'NOT_FOUND', null] })).toEqual({
    type: 'server:file.delete',
    detail: 'a (+1)',
  })
  expect(
    activityOf('delete', { paths, forever: false }, { refusals: ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'] }),
  ).toBeUndefined()
})

it('names both paths of a move, the bits of permissions, and what came out of the bin', () => {
  const done = { refusals: [null] }
  expect(activityOf('move', { moves: [{ from: 'a', to: 'b/a' }] }, done)).toEqual({
    type: 'server:file.rename',
    detail: 'a → b/a',
  })
  expect(activityOf('change-mode', { paths: ['a'], mode: 0o755 }, done)).toEqual({
    type: 'server:file.chmod',
    detail: 'a (755)',
  })
  expect(activityOf('restore', { id: 'x' }, { path: 'world' })).toEqual({
    type: 'server:file.restore',
    detail: 'world',
  })
  expect(activityOf('empty-bin', {}, {})).toEqual({ type: 'server:file.empty-bin', detail: '*' })
})

it('is silent about calls that only look', () => {
  for (const call of ['list', 'search', 'folder-size', 'usage', 'bin'] as const)
    expect(activityOf(call, { path: 'a' }, {})).toBeUndefined()
})

it('tells both servers what went from one to the other, and whether it left', () => {
  const names = { source: 'aaaa', target: 'bbbb' }
  const thing = (name: string, hasLeft: boolean) => ({ from: name, to: `in/${name}`, hasLeft })
  expect(transferActivities([thing('a', true), thing('b', false), thing('c', true)], names)).toEqual({
    source: [
      { type: 'server:file.move-to', detail: 'a → bbbb:in/a (+1)' },
      { type: 'server:file.copy-to', detail: 'b → bbbb:in/b' },
    ],
    target: [{ type: 'server:file.arrive', detail: 'in/a ← aaaa:a (+2)' }],
  })
  expect(transferActivities([], names)).toEqual({ source: [], target: [] })
})
