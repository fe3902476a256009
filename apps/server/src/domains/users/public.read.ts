import { rows } from '../../db/rows.ts'

export const avatarRows = rows.selectFrom('account_avatar').select(['account_id', 'version'])
