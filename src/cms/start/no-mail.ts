import type { EmailAdapter } from 'payload'

/** Payload sends nothing: mail goes out through the control plane, which retries and records it. */
export const noMail: EmailAdapter = () => ({
  name: 'none',
  defaultFromAddress: 'nobody@localhost',
  defaultFromName: 'Bakter',
  sendEmail: () => Promise.reject(new Error('Mail is sent by the control plane, not by the CMS')),
})
