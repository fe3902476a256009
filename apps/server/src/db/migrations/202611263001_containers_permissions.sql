-- Acting on a container, and ending it, are permissions of their own. Whoever may act on services may do so already:
-- nobody loses what they had.
update team_role r set permissions = permissions || array(
  select distinct given.new from unnest(r.permissions) key join (values
    ('stack_service_operate', 'stack_container_operate'), ('stack_service_operate', 'stack_container_delete')
  ) as given (old, new) on given.old = key
);
update system_role r set permissions = permissions || array(
  select distinct given.new from unnest(r.permissions) key join (values
    ('stack_service_operate', 'stack_container_operate'), ('stack_service_operate', 'stack_container_delete')
  ) as given (old, new) on given.old = key
);
update api_token t set permissions = permissions || array(
  select distinct given.new from unnest(t.permissions) key join (values
    ('stack_service_operate', 'stack_container_operate'), ('stack_service_operate', 'stack_container_delete')
  ) as given (old, new) on given.old = key
);
