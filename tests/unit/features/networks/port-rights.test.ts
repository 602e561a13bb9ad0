import { expect, it } from 'vitest'
import { portRightsOf } from '../../../../src/features/networks/port-rights.ts'

it('a reader changes what the permissions allow, and reads which are missing', () => {
  const rights = portRightsOf({ permissions: ['allocation.view', 'allocation.update'] }, { readOnly: null })
  expect(rights.may('allocation.update')).toBe(true)
  expect(rights.may('allocation.create')).toBe(false)
  expect(rights.missing).toEqual(['allocation.create', 'allocation.remove'])
})

it('nobody changes the ports of a server that is suspended or expired', () => {
  const permissions = ['allocation.view', 'allocation.create', 'allocation.update', 'allocation.remove'] as const
  for (const readOnly of ['suspended', 'expired'] as const) {
    const rights = portRightsOf({ permissions }, { readOnly })
    expect([rights.may('allocation.create'), rights.missing]).toEqual([false, []])
  }
})
