-- The way of an action: panel, sftp, api or timer. Null for older rows, and for what a server did by itself.
alter table control.activities add column way text check (way in ('panel', 'sftp', 'api', 'timer'));
