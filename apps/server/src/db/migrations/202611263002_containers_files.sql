-- Whoever opens terminals reads and writes files already: nobody loses what they had.
update team_role r set permissions = permissions || '{stack_file_view, stack_file_edit}'
where 'stack_container_execute' = any (permissions) and not 'stack_file_view' = any (permissions);
update system_role r set permissions = permissions || '{stack_file_view, stack_file_edit}'
where 'stack_container_execute' = any (permissions) and not 'stack_file_view' = any (permissions);
