import { expect, test } from 'vitest'
import { isRentable, offersOf } from '../../../../src/features/catalog/offers.ts'
import {
  firstChoice,
  offeredPackage,
  quoteRequestOf,
  suggestedName,
} from '../../../../src/features/catalog/rent-choice.ts'
import { services } from '../../../support/fake-site/fixtures.ts'

const names = (view: Partial<Parameters<typeof offersOf>[1]>) =>
  offersOf(services, { category: 'all', search: '', highlightedOnly: false, locale: 'hu', ...view }).map(
    (service) => service.name,
  )

test('services that can be rented come first, then the highlighted, then by name', () => {
  expect(names({})).toEqual(['Minecraft', 'Node.js alkalmazás', 'FiveM', 'Arma', 'CS:GO'])
})

test('search is by name and description without regard to case; the VPS page holds virtual servers only', () => {
  expect(names({ search: 'gta v' })).toEqual(['FiveM'])
  expect(names({ category: 'vps' })).toEqual([])
  expect(names({ highlightedOnly: true })).toEqual(['Minecraft', 'FiveM'])
})

test('a service with a reason against it cannot be rented', () => {
  const [minecraft, fivem] = services
  expect(minecraft && isRentable(minecraft)).toBe(true)
  expect(fivem && isRentable(fivem)).toBe(false)
  expect(minecraft && isRentable({ ...minecraft, orderable: false })).toBe(false)
  expect(minecraft && isRentable({ ...minecraft, resources: null, packages: [] })).toBe(false)
})

test('the flow opens with the highlighted package for one month, and asks for its price', () => {
  const minecraft = services[0]
  if (!minecraft) throw new Error('No fixture')
  const choice = firstChoice(minecraft)
  expect(choice).toMatchObject({ size: minecraft.packages[0]?.id, months: 1, name: null })
  expect(quoteRequestOf(minecraft, choice)).toEqual({
    serviceId: minecraft.id,
    packageId: minecraft.packages[0]?.id,
    months: 1,
  })
  expect(quoteRequestOf(minecraft, { ...choice, size: 'custom' })).toEqual({
    serviceId: minecraft.id,
    months: 1,
    resources: choice.resources,
  })
  expect(quoteRequestOf(minecraft, { ...choice, size: 'custom', resources: null })).toBeUndefined()
})

test('the flow opens with the package that was clicked; the highlighted one counts only when none was', () => {
  const minecraft = services[0]
  if (!minecraft) throw new Error('No fixture')
  const [cheapest, other] = minecraft.packages.map(({ id }) => id)
  expect(offeredPackage(minecraft)).toBe(cheapest)
  expect(offeredPackage({ ...minecraft, startingPriceFt: null })).toBeUndefined()
  expect(firstChoice(minecraft, other ?? '').size).toBe(other)
  expect(firstChoice(minecraft, 'no such package').size).toBe(cheapest)
  const closed = minecraft.packages.map((size) => ({ ...size, orderable: size.id !== other }))
  expect(firstChoice({ ...minecraft, packages: closed }, other ?? '').size).toBe(cheapest)
})

test('a suggested name is one that no server of the reader has', () => {
  expect(suggestedName('Minecraft', [])).toBe('Minecraft')
  expect(suggestedName('Minecraft', ['Minecraft', 'Minecraft 2', 'web'])).toBe('Minecraft 3')
})
