import { QueueSettings } from '@gantry/contract/pipelines/queue'
import type { Kysely } from 'kysely'
import { findSetting, writeSetting } from '../../../db/setting.ts'
import type { Tables } from '../../../db/tables.gen.ts'

type Db = Kysely<Tables>

const name = 'queue'

export const queueSettings = async (db: Db): Promise<QueueSettings> =>
  (await findSetting(db, name, QueueSettings)) ?? { keptPlaces: 1 }

export const putQueueSettings = (db: Db, settings: QueueSettings): Promise<void> => writeSetting(db, name, settings)
