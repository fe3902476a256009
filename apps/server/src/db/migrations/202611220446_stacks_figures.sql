-- Figures of hundreds of digits were taken in, and no list that had one could be read. Nothing ran with them.
update service
set spec = jsonb_set(spec, '{resources}', '{"cpu": "0.5", "memory": "256Mi", "cpuRequest": "0.05", "memoryRequest": "32Mi"}')
where exists (select from jsonb_each_text(spec -> 'resources') where length(value) > 20);
update service
set previous_spec = jsonb_set(previous_spec, '{resources}', '{"cpu": "0.5", "memory": "256Mi", "cpuRequest": "0.05", "memoryRequest": "32Mi"}')
where exists (select from jsonb_each_text(previous_spec -> 'resources') where length(value) > 20);
