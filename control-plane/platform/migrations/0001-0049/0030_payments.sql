-- Payments at any provider. A program of the release before knows only the columns of 0004, so every new one has a default
-- or may be null: `credited_ft` null is the whole amount, `redirect_url` stays where the customer goes next.

alter table control.payments
  add column kind text not null default 'redirect'
    check (kind in ('redirect', 'card', 'wallet', 'premium-sms', 'premium-call')),
  -- What the wallet gains, where a provider hands over less than is paid.
  add column credited_ft bigint check (credited_ft > 0),
  -- What the customer does next, without secrets.
  add column next_step jsonb,
  -- Calls of the provider that were begun to open it.
  add column attempts integer not null default 0 check (attempts >= 0),
  -- Facts of a settled payment: what went back at the provider, and whether the customer's bank takes it back.
  add column refunded_ft bigint not null default 0 check (refunded_ft >= 0),
  add column dispute text not null default 'none' check (dispute in ('none', 'open', 'lost', 'won')),
  add column failure_code text,
  -- Until when the customer can pay at the provider; null until it is opened.
  add column open_until timestamptz,
  add column settled_at timestamptz;
