import { QueueSettings } from '@gantry/contract/pipelines/queue'
import { findSetting, writeSetting } from '../../../db/setting.ts'
import type { Db } from '../../../db/tables.gen.ts'

const name = 'queue'

export const queueSettings = async (db: Db): Promise<QueueSettings> =>
  (await findSetting(db, name, QueueSettings)) ?? { keptPlaces: 1 }

export const putQueueSettings = (db: Db, settings: QueueSettings): Promise<void> => writeSetting(db, name, settings)
