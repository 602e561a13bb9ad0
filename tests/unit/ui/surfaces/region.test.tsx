// @vitest-environment happy-dom
import { NextIntlClientProvider } from 'next-intl'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import en from '../../../../src/messages/en.json' with { type: 'json' }
import { Region } from '../../../../src/ui/surfaces/region.tsx'
import type { RegionData } from '../../../../src/ui/surfaces/region.tsx'

const read: RegionData<string> = {
  data: 'Anna',
  isError: false,
  isFetching: false,
  dataUpdatedAt: Date.UTC(2026, 0, 2, 10, 30),
  error: null,
  refetch: () => undefined,
}
const stale: RegionData<string> = { ...read, isError: true, error: new Error('no answer') }

const shown = async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.createElement('div')
  const root = createRoot(place)
  const show = (query: RegionData<string>) =>
    act(async () =>
      root.render(
        <NextIntlClientProvider locale="en" timeZone="Europe/Budapest" messages={{ common: en.common }}>
          <Region query={query} skeleton="loading" failed="It did not load.">
            {(name) => <input aria-label={name} defaultValue="" />}
          </Region>
        </NextIntlClientProvider>,
      ),
    )
  return { place, show, end: () => act(async () => root.unmount()) }
}

it('keeps what was typed when a later read fails, and when one succeeds again', async () => {
  const { place, show, end } = await shown()
  await show(read)
  const field = place.querySelector('input')
  expect([place.querySelector('.stale-note'), place.querySelector('.stale')]).toEqual([null, null])
  if (field) field.value = 'half a sentence'

  await show(stale)
  expect(place.querySelector('.stale-note')?.textContent).toContain('11:30')
  expect(place.querySelector('.stale input')).toBe(field)

  await show({ ...read, data: 'Berta' })
  expect(place.querySelector('.stale-note')).toBeNull()
  expect(place.querySelector('input')).toBe(field)
  expect([field?.value, field?.getAttribute('aria-label')]).toEqual(['half a sentence', 'Berta'])
  await end()
})

it('says what failed where nothing was ever read', async () => {
  const { place, show, end } = await shown()
  await show({ ...stale, data: undefined })
  expect(place.textContent).toContain('It did not load.')
  expect(place.querySelector('input')).toBeNull()
  await end()
})
