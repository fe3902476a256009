import { rows } from '../../db/rows.ts'

export const webhookDeliveryRows = rows
  .selectFrom('webhook_delivery')
  .select(['id', 'state', 'problem', 'created_at', 'alarm_channel_id'])
