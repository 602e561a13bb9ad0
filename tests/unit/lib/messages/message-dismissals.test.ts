import { expect, test } from 'vitest'
import { dismiss, dismissedBy, remaining } from '../../../../src/lib/messages/message-dismissals.ts'
import type { ShownMessage } from '../../../../src/lib/messages/message-dismissals.ts'

const keeper = (entries: readonly (readonly [string, string])[] = []) => {
  const kept = new Map(entries)
  return { get: (key: string) => kept.get(key) ?? null, set: (key: string, value: string) => void kept.set(key, value) }
}
const message = (id: string, revision = '1'): ShownMessage => ({ id, revision, severity: 'info', text: id })

test('a dismissed message is not shown again', () => {
  const keep = keeper()
  dismiss(keep, 'panni', message('a'))
  const answer = { reader: 'panni', messages: [message('a'), message('b')] }
  expect(remaining(keep, answer).map(({ id }) => id)).toEqual(['b'])
})

test('each reader dismisses for themselves, and so does who is not signed in', () => {
  const keep = keeper()
  dismiss(keep, 'panni', message('a'))
  for (const reader of ['bence', null]) expect(remaining(keep, { reader, messages: [message('a')] })).toHaveLength(1)
  dismiss(keep, null, message('a'))
  expect(remaining(keep, { reader: null, messages: [message('a')] })).toEqual([])
})

test('a message that was changed since is shown again', () => {
  const keep = keeper()
  dismiss(keep, null, message('a', '1'))
  expect(remaining(keep, { reader: null, messages: [message('a', '2')] })).toHaveLength(1)
})

test('of many dismissals the newest fifty are remembered', () => {
  const keep = keeper()
  for (let at = 0; at < 60; at += 1) dismiss(keep, null, message(`m${at}`))
  dismiss(keep, null, message('m59'))
  expect(dismissedBy(keep, null)).toHaveLength(50)
  expect(dismissedBy(keep, null).at(-1)).toBe('m59:1')
})

test.each(['not json', '{}', '[1, null]', '"a"'])('text that somebody else wrote there is nothing: %s', (text) => {
  expect(dismissedBy(keeper([['bakter:dismissed:public', text]]), null)).toEqual([])
})
