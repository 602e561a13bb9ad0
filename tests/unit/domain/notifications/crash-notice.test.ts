import { expect, it } from 'vitest'
import { crashNotice } from '../../../../src/domain/notifications/crash-notice.ts'

it('is for the second crash in an hour, and for a server that stays stopped', () => {
  expect(crashNotice('server:crashed', 1)).toBeUndefined()
  expect(crashNotice('server:crashed', 2)).toBe('again')
  expect(crashNotice('server:crash-loop', 1)).toBe('stays')
  expect(crashNotice('server:start-failed', 9)).toBeUndefined()
})
