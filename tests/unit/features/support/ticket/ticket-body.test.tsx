// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { TicketHead } from '../../../../../src/features/support/ticket/ticket-body.tsx'
import { COLLEAGUE, staffTicket } from '../../../../factories/staff-ticket.ts'
import { shownPage, type ShownPage } from '../../../../support/shown-page.tsx'

let page: ShownPage
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

test.each([
  ['dora', ['Assigned to dora']],
  ['', ['Assigned to Deleted account']],
  [null, []],
])(
  'the head has the facts that a wide page has beside the conversation, with the assignee %j',
  async (name, assignee) => {
    const admin = name === null ? null : { id: COLLEAGUE, username: name }
    page = shownPage(<TicketHead view={staffTicket({ standing: 'added' }, { admin })} isOff={false} />, {})
    await page.see('h1', 'Question 1')
    const facts = Array.from(document.querySelectorAll('.tk-facts__beside'), ({ textContent }) => textContent)
    expect(facts).toEqual(['Billing', expect.stringContaining('2026'), ...assignee])
  },
)
