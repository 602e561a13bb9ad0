import type en from '../messages/en.json'

/** The part of the catalog that dashboard and panel use in the browser; the public pages' texts stay on the server. */
export const appMessages = (messages: typeof en) => {
  const { common, status, refusals, errors, failures, realtime, dashboard } = messages
  const { panel, summary, servers, services, balance, consent, console, notifications, security, settings } = messages
  const { sessions, activities, privacy, invoices, premium, spin, networks, serverSettings } = messages
  const { switches, tickets, withdrawal, files, startup, serverActivity, collaborators, guides } = messages
  return {
    common,
    status,
    refusals,
    // The browser has the API's own sentence for a field that it refuses before the API can.
    errors: { fields: errors.fields, values: errors.values },
    failures,
    realtime,
    dashboard,
    panel,
    summary,
    servers,
    services,
    balance,
    consent,
    console,
    notifications,
    security,
    settings,
    sessions,
    activities,
    privacy,
    invoices,
    premium,
    spin,
    networks,
    serverSettings,
    switches,
    tickets,
    withdrawal,
    files,
    startup,
    serverActivity,
    collaborators,
    // The rest of the guides' texts is rendered with their pages.
    guides: { title: guides.title, topics: guides.topics, fits: guides.fits },
  }
}
