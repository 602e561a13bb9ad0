import { expect, it } from 'vitest'
import { PrizeWheel } from '@/cms/globals/prize-wheel.ts'
import { prizeWheel } from '@/cms/seed/content/sales.ts'

const field = (name: string) => PrizeWheel.fields.find((each) => 'name' in each && each.name === name)

it('spins are not for sale until staff say so, beside a legal note; the demo sells them', () => {
  expect(field('buying')).toMatchObject({ type: 'checkbox', required: true, defaultValue: false })
  expect(field('legalNote')).toMatchObject({ type: 'textarea', localized: true })
  expect(field('blockedCountries')).toMatchObject({ hasMany: true })
  expect(prizeWheel.buying).toBe(true)
  expect(prizeWheel.legalNote.en).toContain('game of chance')
})
