import { expect, test } from 'vitest'
import type { Document, Landing, Navigation } from '../../../../src/cms/payload-types.ts'
import { siteViewOf } from '../../../../src/features/content/site-view.ts'

const rest = {
  navigation: {} as Navigation,
  documents: {} as Document,
  settings: { hostName: 'Bakter' } as Parameters<typeof siteViewOf>[0]['settings'],
}
const names = ['Minecraft', 'FiveM', 'MTA', 'CS:GO', 'Arma', 'Conan Exiles']
const popular = names.map((name) => ({ id: `id-${name}`, name, orderable: true }))
const promotionsOf = (banners: unknown, services = popular) =>
  siteViewOf({ landing: { banners } as unknown as Landing, popular: services, ...rest }).promotions

test('the popular servers keep the order of staff, five of them', () => {
  const popularServices = ['id-MTA', 'id-Minecraft', 'id-CS:GO', 'id-FiveM', 'id-Arma', 'id-Conan Exiles']
  expect(promotionsOf({ popularServices }).popular).toEqual(['MTA', 'Minecraft', 'CS:GO', 'FiveM', 'Arma'])
})

test('a service that is not on offer, or no longer there, has no chip', () => {
  const services = [
    { id: 'a', name: 'A', orderable: false },
    { id: 'b', name: 'B', orderable: true },
  ]
  expect(promotionsOf({ popularServices: ['a', 'gone', 'b'] }, services).popular).toEqual(['B'])
})

test('nothing chosen is nothing shown', () => {
  expect(promotionsOf(undefined)).toEqual({ popular: [], partner: null })
  expect(promotionsOf({ popularServices: [], webDesign: { name: '', url: '', text: '' } })).toEqual({
    popular: [],
    partner: null,
  })
})

test.each([
  ['https://partner.example', true],
  ['http://partner.example', true],
  ['javascript:alert(1)', false],
  ['//partner.example', false],
  ['', false],
])('a partner at %s is shown: %s', (url, isShown) => {
  const partner = promotionsOf({ webDesign: { name: 'Partner', url, text: 'A website?' } }).partner
  expect(partner).toEqual(isShown ? { name: 'Partner', url, text: 'A website?' } : null)
})
