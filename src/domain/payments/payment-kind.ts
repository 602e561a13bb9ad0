/** How a customer pays: on a page of the provider, with a card or a browser's wallet on ours, or by phone. */
export const PAYMENT_KINDS = ['redirect', 'card', 'wallet', 'premium-sms', 'premium-call'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]
