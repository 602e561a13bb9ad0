-- Money that arrives for an account that was erased meanwhile is nobody's: it is parked for staff.
alter table control.unmatched_payments
  drop constraint unmatched_payments_problem_check,
  add constraint unmatched_payments_problem_check check (problem in ('UNKNOWN_PAYMENT', 'AMOUNT_MISMATCH', 'CURRENCY_MISMATCH',
    'REFERENCE_MISMATCH', 'SECOND_SETTLEMENT', 'FOREIGN_REFUND', 'ERASED_ACCOUNT'));

-- Where the tax of money that came in fell due, as the settings said when it was credited. Null: credited by a release before.
alter table control.payments add column tax_point text check (tax_point in ('at_topup', 'at_spend'));
alter table control.unmatched_payments add column tax_point text check (tax_point in ('at_topup', 'at_spend'));
