-- What is kept for a time goes by its age.
create index activities_by_time on control.activities (created_at);
create index idempotency_keys_by_time on control.idempotency_keys (created_at);
