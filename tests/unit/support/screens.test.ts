import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MONEY_PAGES } from '../../../src/cms/admin/money/money-pages.ts'
import {
  CANNED_REPLIES_PATH,
  FIGURES_PATH,
  CATEGORY_FORMS_PATH,
  ticketPath,
  TICKETS_PATH,
} from '../../../src/cms/admin/ticket-area.ts'
import { SCREENS } from '../../support/screens.ts'

const LOCALE = fileURLToPath(new URL('../../../src/app/[locale]', import.meta.url))

/** One page serves the panels of all servers (rewrites in next.config.ts). */
const PANELS = '(panel)/panel/page.tsx'

/** `(dashboard)/dashboard/spin/page.tsx` -> a pattern of its addresses. */
const routeOf = (file: string): RegExp => {
  if (file === PANELS) return /^\/panel\/.+$/
  const parts = file.split('/').slice(0, -1)
  const pattern = parts.flatMap((part) =>
    /^\(.*\)$/.test(part)
      ? []
      : [
          /^\[\[\.{3}/.test(part)
            ? '(/.*)?'
            : /^\[\.{3}/.test(part)
              ? '/.+'
              : part.startsWith('[')
                ? '/[^/]+'
                : `/${part}`,
        ],
  )
  return new RegExp(`^${pattern.join('') || '/'}$`)
}
const paths = SCREENS.map(({ path }) => path.split('?')[0] ?? '')

test('every page of the site is a screen of the list', () => {
  const files = readdirSync(LOCALE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('page.tsx') && !/[^/]page\.tsx$/.test(file),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !paths.some((path) => routeOf(file).test(path)))).toEqual([])
})

test('every page about money is a screen of the list', () => {
  expect(paths.filter((path) => path.startsWith('/admin/money/'))).toEqual(
    MONEY_PAGES.map((page) => `/admin/money/${page}`),
  )
})

test('every page of tickets for staff is a screen of the list', () => {
  expect(paths.filter((path) => path.startsWith('/admin/ticket'))).toEqual([
    TICKETS_PATH,
    FIGURES_PATH,
    ticketPath('{ticket}'),
  ])
})

test('the lists and forms of the ticket system are screens of the list', () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      '/admin/categories',
      `${CATEGORY_FORMS_PATH}/{category}`,
      CANNED_REPLIES_PATH,
      `${CANNED_REPLIES_PATH}/{reply}`,
    ]),
  )
})
