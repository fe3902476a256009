-- [[line, epoch milliseconds], …]: from that line on, lines came at that time. The first is what held when the chunk began.
alter table build_log_chunk add column times jsonb;
-- the time that holds at the log's end so far, in epoch milliseconds; null where its agent tells none
alter table build_step add column log_time bigint;
