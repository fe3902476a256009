-- Which round holds a stack, as of a service: what an earlier one still has in hand, it writes no more.
alter table stack add column settle_round int not null default 0;
