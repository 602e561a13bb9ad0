-- A write-off asks which corrections of a customer left a debt.
create index manual_credits_debts on control.manual_credits (user_id, created_at) where debt_ft > 0;
