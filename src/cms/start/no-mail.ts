import type { EmailAdapter } from 'payload'

/** Payload sends no mail: the control plane does, with retries and records. */
export const noMail: EmailAdapter = () => ({
  name: 'none',
  defaultFromAddress: 'nobody@localhost',
  defaultFromName: 'Bakter',
  sendEmail: () => Promise.reject(new Error('Mail is sent by the control plane, not by the CMS')),
})
