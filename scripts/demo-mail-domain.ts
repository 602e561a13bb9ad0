/** Where the demo's accounts have their addresses; production refuses accounts there. */
export const DEMO_MAIL_DOMAIN = 'demo.bakter.test'
