-- the colours in effect at the log's end so far, as the escape sequence that sets them
alter table build_step add column log_style text not null default '';
