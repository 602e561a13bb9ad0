/** The mail domain of the demo's accounts; production refuses accounts there. */
export const DEMO_MAIL_DOMAIN = 'demo.bakter.test'
