import { expect, onTestFinished, test } from 'vitest'

import { anyNetwork, createTestNamespace } from '../../support/network-namespace.ts'

test('no two namespaces have the same network, whatever is chosen', () => {
  const first = createTestNamespace()
  onTestFinished(first.remove)
  const taken = first.outsideAddress.replace(/\.1$/, '')
  const choices = [taken, taken]
  const second = createTestNamespace(() => choices.pop() ?? anyNetwork())
  onTestFinished(second.remove)
  expect(choices).toEqual([])
  expect(second.outsideAddress).not.toBe(first.outsideAddress)
})
