-- What a customer sent along about a server when they opened the ticket: as it was then, redacted before it was stored (decision 94).
alter table control.tickets add column server_context jsonb;
