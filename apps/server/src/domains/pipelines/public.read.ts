import { rows } from '../../db/rows.ts'

export const pipelineRows = rows
  .selectFrom('pipeline')
  .select(['id', 'uuid', 'team_id', 'group_id', 'name', 'definition'])

export const pipelineGroupRows = rows.selectFrom('pipeline_group').select(['id', 'name'])

export const buildRows = rows
  .selectFrom('build')
  .select([
    'id',
    'pipeline_id',
    'team_id',
    'number',
    'state',
    'cause',
    'user_cause',
    'branch',
    'commit',
    'commit_message',
  ])
  .select(['queued_at', 'started_at', 'ended_at'])

export const buildJobRows = rows.selectFrom('build_job').select(['state', 'agent_id'])

export const buildStepRows = rows.selectFrom('build_step').select(['build_id', 'index', 'name'])

export const buildTerminalRows = rows.selectFrom('build_terminal').select('agent_id')

export const pushedImageRows = rows
  .selectFrom('build_image')
  .select(['id', 'build_id', 'pipeline_id', 'registry_id', 'image', 'digest', 'created_at'])
