import { rows } from '../../db/rows.ts'

export const alarmChannelRows = rows.selectFrom('alarm_channel').select(['id', 'kind', 'language', 'url', 'secret'])
