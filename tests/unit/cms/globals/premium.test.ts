import type { Field, NumberField } from 'payload'
import { expect, it } from 'vitest'
import { Premium } from '@/cms/globals/premium.ts'

const named = (fields: readonly Field[], name: string): Field | undefined =>
  fields
    .flatMap((each) => (each.type === 'row' ? each.fields : [each]))
    .find((each) => 'name' in each && each.name === name)

function figure(tier: string, name: string): NumberField | undefined {
  const group = named(Premium.fields, tier)
  const found = group?.type === 'group' ? named(group.fields, name) : undefined
  return found?.type === 'number' ? found : undefined
}

it.each(['essentials', 'maximus', 'ultimus'])('%s costs something and lasts some days', (tier) => {
  for (const [name, least] of [
    ['priceFt', 1],
    ['days', 1],
    ['discountPercent', 0],
    ['backupSlots', 0],
  ] as const) {
    const validate = figure(tier, name)?.validate as ((value: number) => unknown) | undefined
    expect([name, validate?.(least), validate?.(least - 1)]).toEqual([name, true, `>= ${least}`])
  }
})

it('who has no tier pays nothing for it', () => {
  expect(figure('none', 'priceFt')).toBeUndefined()
  expect(figure('none', 'backupSlots')).toBeDefined()
})
