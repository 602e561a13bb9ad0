// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ConnectionDialog, dialogTrouble, LinkLine } from '../../../../src/features/console/connection-dialog.tsx'
import { eventually, shownPage } from '../../../support/shown-page.tsx'
import type { ShownPage } from '../../../support/shown-page.tsx'

let page: ShownPage | undefined
afterEach(() => {
  page?.close()
  page = undefined
  vi.unstubAllGlobals()
})

const waiting = (attempt: number, trouble: 'connection' | 'slow' = 'connection') =>
  ({ kind: 'waiting', attempt, trouble }) as Parameters<typeof dialogTrouble>[0]

test('the dialog comes with the third attempt, says maintenance where the machine is away, and a refusal at once', () => {
  expect([1, 2, 3, 10].map((attempt) => dialogTrouble(waiting(attempt)))).toEqual([
    undefined,
    undefined,
    'connection',
    'connection',
  ])
  expect([2, 3].map((attempt) => dialogTrouble(waiting(attempt), true))).toEqual([undefined, 'maintenance'])
  // A reason that the node gave is not the machine's absence.
  expect(dialogTrouble(waiting(3, 'slow'), true)).toBe('slow')
  expect(dialogTrouble({ kind: 'refused', trouble: 'invalid' })).toBe('invalid')
  expect(dialogTrouble({ kind: 'refused', trouble: 'insecure' })).toBeUndefined()
  for (const kind of ['connecting', 'live', 'failed'] as const) {
    expect(dialogTrouble({ kind } as Parameters<typeof dialogTrouble>[0], true)).toBeUndefined()
  }
})

test('a connection problem can be tried again, and an invalid server cannot', async () => {
  const retry = vi.fn<() => void>()
  page = shownPage(<ConnectionDialog link={waiting(3)} isNodeAway={false} onRetry={retry} />, {})
  await page.see('dialog', 'Connection problem')
  const again = await page.see('dialog button', 'Try again')
  again.click()
  expect(retry).toHaveBeenCalledOnce()
  page.close()
  const invalid = { kind: 'refused', trouble: 'invalid' } as const
  page = shownPage(<ConnectionDialog link={invalid} isNodeAway={false} onRetry={retry} />, {})
  await page.see('dialog', 'Invalid server ID')
  expect(page.find('dialog button', 'Try again')).toBeUndefined()
})

test('after the last attempt the line has the sentence of the specification, and its button loads the page again', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  page = shownPage(<LinkLine link={{ kind: 'failed' } as Parameters<typeof dialogTrouble>[0]} />, {})
  await page.see('[role=alert]', 'Failed to reconnect to console. Please refresh the page.')
  const refresh = await page.see('[role=alert] button', 'Refresh')
  refresh.click()
  await eventually(() => expect(reload).toHaveBeenCalledOnce())
  reload.mockRestore()
})

test('before that the line says which attempt it is', async () => {
  page = shownPage(<LinkLine link={waiting(2)} />, {})
  expect((await page.see('.lamp')).textContent).toBe('Connection lost, reconnecting: attempt 2')
})
