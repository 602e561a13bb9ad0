-- The figures of staff: which tickets were opened in some days, and who of staff replied to a ticket first.
create index tickets_created on control.tickets (created_at);
create index ticket_messages_replies on control.ticket_messages (ticket_id, seq) include (author_id) where by_staff and kind = 'message';
