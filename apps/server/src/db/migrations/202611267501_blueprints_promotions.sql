-- A promotion brings what another stack is; whether it made the stack that it is in, which goes with it.
alter table stack_release drop constraint stack_release_action_check;
alter table stack_release add constraint stack_release_action_check check (action in ('deploy', 'upgrade', 'promote'));
alter table stack_release add made_stack boolean not null default false;
