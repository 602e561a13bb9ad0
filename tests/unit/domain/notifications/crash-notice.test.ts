import { expect, it } from 'vitest'
import { crashNotice, crashTelling, type CrashWords } from '../../../../src/domain/notifications/crash-notice.ts'

it('is for the second crash in an hour, and for a server that stays stopped', () => {
  expect(crashNotice('server:crashed', 1)).toBeUndefined()
  expect(crashNotice('server:crashed', 2)).toBe('again')
  expect(crashNotice('server:crash-loop', 1)).toBe('stays')
  expect(crashNotice('server:start-failed', 9)).toBeUndefined()
})

const told = (...all: CrashWords[]) => all.map((words, at) => ({ id: `notice-${at}`, words }))
const title = (en: string) => ({ en, hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' })

it('is one for each cause in an hour, also where staff or nobody names the cause', () => {
  const memory = { again: true, error: 'out-of-memory' } as const
  expect(crashTelling(memory, told())).toEqual({ is: 'new' })
  expect(crashTelling(memory, told(memory))).toEqual({ is: 'none' })
  expect(crashTelling({ again: true, error: 'port-in-use' }, told(memory))).toEqual({ is: 'new' })
  expect(crashTelling({ again: true }, told(memory))).toEqual({ is: 'new' })
  expect(crashTelling({ again: true }, told({ again: true }))).toEqual({ is: 'none' })
  const cold = { again: true, staffError: title('The oven is cold') } as const
  expect(crashTelling(cold, told(memory, cold))).toEqual({ is: 'none' })
  expect(crashTelling(cold, told({ again: true, staffError: title('The oven is hot') }))).toEqual({ is: 'new' })
})

it('says in the notice of the same cause that the server stays stopped, and does not take it back', () => {
  const [again, stays] = [{ again: true, error: 'out-of-memory' } as const, { error: 'out-of-memory' }]
  expect(crashTelling(stays, told({ again: true }, again))).toEqual({ is: 'changed', id: 'notice-1' })
  expect(crashTelling(again, told(stays))).toEqual({ is: 'none' })
  expect(crashTelling(stays, told(stays))).toEqual({ is: 'none' })
})
