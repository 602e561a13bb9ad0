import type { Config } from 'payload'

const from = (file: string, name: string) => `/src/cms/admin/${file}.tsx#${name}`
const redirect = (path: `/${string}`, name: string) => ({ path, Component: from('session-redirects', name) })

/**
 * Parts of the admin that are ours, by path: the configuration is also read outside Next, where React is not wanted.
 * A view of the key of a built-in one replaces it.
 */
export const adminComponents: NonNullable<NonNullable<Config['admin']>['components']> = {
  graphics: { Icon: from('brand', 'Icon'), Logo: from('brand', 'Logo') },
  header: [from('messages', 'AdminMessages')],
  providers: [from('session-keeper', 'SessionKeeper')],
  afterNavLinks: [from('money/money-menu', 'MoneyMenu')],
  views: {
    money: { path: '/money/:page', exact: true, Component: from('money/money-view', 'MoneyView') },
    login: redirect('/login', 'LoginRedirect'),
    logout: redirect('/logout', 'LogoutRedirect'),
    inactivity: redirect('/logout-inactivity', 'LoginRedirect'),
    unauthorized: redirect('/unauthorized', 'UnauthorizedRedirect'),
    forgot: redirect('/forgot', 'ForgotRedirect'),
    createFirstUser: redirect('/create-first-user', 'LoginRedirect'),
  },
}
