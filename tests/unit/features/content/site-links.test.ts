import { describe, expect, it } from 'vitest'
import { dashboardHref, productHref, siteLinks, trialHref } from '../../../../src/features/content/site-links.ts'

describe('siteLinks', () => {
  it('are the sections themselves on the landing page', () => {
    expect(siteLinks('/', true).map(({ href }) => href)).toEqual([
      '#szolgaltatasok',
      '#miertmi',
      '#referenciak',
      '#gyik',
      '/blog',
    ])
  })

  it('lead back to the landing page elsewhere', () => {
    const links = siteLinks('/blog', true)
    expect(links.map(({ href }) => href)).toEqual(['/#szolgaltatasok', '/#miertmi', '/#referenciak', '/#gyik', '/blog'])
    expect(links.filter(({ current }) => current).map(({ key }) => key)).toEqual(['blog'])
  })

  it('leave out the partners where there are none', () => {
    expect(siteLinks('/', false).map(({ key }) => key)).toEqual(['products', 'whyUs', 'faq', 'blog'])
  })

  it('send to the dashboard, and for a test server to the tickets', () => {
    expect(trialHref).toBe('/dashboard/tickets')
    expect(dashboardHref).toBe('/dashboard/summary')
    expect(productHref({ slug: 'vps', category: 'vps', packageId: null })).toBe('/dashboard/services/vps')
  })

  it('rent a product with the package whose price is shown', () => {
    const product = { slug: 'minecraft', category: 'gameServer', packageId: null }
    expect(productHref(product)).toBe('/dashboard/services/game?rent=minecraft')
    expect(productHref({ ...product, packageId: 'p-1' })).toBe('/dashboard/services/game?rent=minecraft&package=p-1')
  })
})
