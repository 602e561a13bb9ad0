import { expect, test } from 'vitest'
import { partsOf, searchAll, wrapped } from '../../../../src/features/dashboard/search.ts'

const sources = {
  servers: [
    { id: 's1', name: 'Szigetvár', identifier: 'k7wmq3pd', address: '127.0.0.1:25501' },
    { id: 's2', name: 'web-01', identifier: 'w6vah4mp', address: null },
    { id: 's1', name: 'Szigetvár (old copy)', identifier: 'k7wmq3pd', address: null },
  ],
  tickets: [
    { id: 't1', title: 'The castle is down', lastMessage: { message: 'Look at the LOG' }, status: 'open' as const },
    { id: 't2', title: 'Invoice', lastMessage: { message: 'Thank you' }, status: 'closed' as const },
  ],
  menu: [
    { id: 'summary', title: 'Összegzés', link: '/dashboard/summary' },
    { id: 'servers', title: 'Szervereim', link: '/dashboard/servers' },
    { id: 'factor', title: 'Kétlépcsős belépés', link: '/dashboard/settings#factor', words: 'Beállítások' },
  ],
}
const ids = (input: string) => {
  const { servers, tickets, menu } = searchAll(input, sources)
  return [...servers, ...tickets, ...menu].map(({ id }) => id)
}

test.each(['', '   '])('nothing is found for "%s"', (input) => {
  expect(ids(input)).toEqual([])
})

test.each([
  ['sz', ['s1', 'summary', 'servers']],
  ['SZIGET', ['s1']],
  ['össz', ['summary']],
  ['-0', ['s2']],
  ['log', ['t1']],
  ['INVOICE', ['t2']],
  ['szigetvar', ['s1']],
  ['OSSZEGZES', ['summary']],
  ['25501', ['s1']],
  ['w6vah', ['s2']],
  ['beallit', ['factor']],
  ['no such thing', []],
])('"%s" finds %j, each id once and without regard to case and accents', (input, found) => {
  expect(ids(input)).toEqual(found)
})

test('of one id the first stays', () => {
  expect(searchAll('sziget', sources).servers).toMatchObject([{ id: 's1', name: 'Szigetvár' }])
})

test('the selection goes round at both ends', () => {
  expect([wrapped(0, -1, 3), wrapped(2, 1, 3), wrapped(1, 1, 3), wrapped(0, 1, 0)]).toEqual([2, 0, 2, 0])
})

test('the match is marked in the spelling of the text', () => {
  expect(partsOf('Szép szerver', ' SZ ')).toEqual([
    { text: 'Sz', isHit: true },
    { text: 'ép ', isHit: false },
    { text: 'sz', isHit: true },
    { text: 'erver', isHit: false },
  ])
  expect(partsOf('Szigetvár', 'tvar')).toEqual([
    { text: 'Szige', isHit: false },
    { text: 'tvár', isHit: true },
  ])
  expect(partsOf('Szép', '')).toEqual([{ text: 'Szép', isHit: false }])
  expect(partsOf('İzmir', 'izm')).toEqual([
    { text: 'İzm', isHit: true },
    { text: 'ir', isHit: false },
  ])
  expect(partsOf('한 i', 'i')).toEqual([{ text: '한 i', isHit: false }])
})
