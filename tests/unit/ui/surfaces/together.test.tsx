// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { Together, useTogether } from '../../../../src/ui/surfaces/together.tsx'

type Query = { data: unknown; isError: boolean }
const loading: Query = { data: undefined, isError: false }
const read: Query = { data: 'read', isError: false }
const failed: Query = { data: undefined, isError: true }

const Parts = ({ queries }: { queries: readonly Query[] }) => (
  <Together phase={useTogether(...queries)} reading="Reading.">
    all parts
  </Together>
)

const shown = async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.createElement('div')
  const root = createRoot(place)
  const show = async (...queries: Query[]) => {
    await act(async () => root.render(<Parts queries={queries} />))
    return place.textContent
  }
  return { place, show, end: () => act(async () => root.unmount()) }
}

test('parts appear only once all of them have arrived or failed', async () => {
  const { show, end } = await shown()
  expect(await show(loading, loading)).toContain('Reading.')
  expect(await show(read, loading)).not.toContain('all parts')
  expect(await show(read, failed)).toBe('all parts')
  await end()
})

test('parts that were read before appear at once', async () => {
  const { show, end } = await shown()
  expect(await show(read, read)).toBe('all parts')
  await end()
})

test('parts that have appeared stay while one of them is read again, so that a failed one is not read for ever', async () => {
  const { show, end } = await shown()
  expect(await show(read, failed)).toBe('all parts')
  expect(await show(read, loading)).toBe('all parts')
  await end()
})

test('a page that is opened later keeps its skeleton unseen, so that a fast answer does not flash', async () => {
  const first = await shown()
  await first.show(read)
  const later = await shown()
  await later.show(loading)
  expect(later.place.querySelector('div')?.style.visibility).toBe('hidden')
  await first.end()
  await later.end()
})
