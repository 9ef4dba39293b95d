-- The messages of the contact form are few among many events; without it, listing them reads every event.
CREATE INDEX messages_by_time ON events (server_time) WHERE name = 'contact_message';
