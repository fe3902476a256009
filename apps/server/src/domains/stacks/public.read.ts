import { rows } from '../../db/rows.ts'

export const stackRows = rows
  .selectFrom('stack')
  .select(['id', 'uuid', 'team_id', 'environment', 'namespace', 'name', 'product_id', 'blueprint_id', 'template_id'])
  .select(['state', 'cpu', 'memory'])

export const serviceRows = rows
  .selectFrom('service')
  .select(['id', 'stack_id', 'name', 'type', 'state', 'revision', 'spec', 'pins', 'digest', 'pod_digest'])
  .select(['previous_spec', 'previous_pins', 'previous_digest'])

export const serviceRevisionRows = rows
  .selectFrom('service_revision')
  .select(['service_id', 'revision', 'spec', 'pins', 'digest', 'created_at'])

export const outwardClaimRows = rows.selectFrom('outward_claim').select(['service_id', 'host'])
