import type { Config } from 'payload'

const from = (file: string, name: string) => `/src/cms/admin/${file}.tsx#${name}`
const redirect = (path: `/${string}`, name: string) => ({ path, Component: from('session-redirects', name) })

/**
 * Our own parts of the admin, by path: the configuration is also loaded outside Next, without React. A view with the
 * key of a built-in one replaces it.
 */
export const adminComponents: NonNullable<NonNullable<Config['admin']>['components']> = {
  graphics: { Icon: from('brand', 'Icon'), Logo: from('brand', 'Logo') },
  header: [from('messages', 'AdminMessages')],
  providers: [from('session-keeper', 'SessionKeeper'), from('named-controls', 'NamedControls')],
  beforeNavLinks: [from('tickets/tickets-menu', 'TicketsMenu')],
  afterNavLinks: [from('money/money-menu', 'MoneyMenu')],
  views: {
    money: { path: '/money/:page', exact: true, Component: from('money/money-view', 'MoneyView') },
    tickets: { path: '/tickets', exact: true, Component: from('tickets/queue-view', 'QueueView') },
    figures: { path: '/tickets/figures', exact: true, Component: from('tickets/figures/figures-view', 'FiguresView') },
    ticket: { path: '/ticket/:id', exact: true, Component: from('tickets/ticket-view', 'TicketView') },
    ticketWithoutId: { ...redirect('/ticket', 'QueueRedirect'), exact: true },
    categories: {
      path: '/categories',
      exact: true,
      Component: from('tickets/categories/categories-view', 'CategoriesView'),
    },
    voting: { ...redirect('/voting', 'VotingsRedirect'), exact: true },
    login: redirect('/login', 'LoginRedirect'),
    logout: redirect('/logout', 'LogoutRedirect'),
    inactivity: redirect('/logout-inactivity', 'LoginRedirect'),
    unauthorized: redirect('/unauthorized', 'UnauthorizedRedirect'),
    forgot: redirect('/forgot', 'ForgotRedirect'),
    createFirstUser: redirect('/create-first-user', 'LoginRedirect'),
  },
}
