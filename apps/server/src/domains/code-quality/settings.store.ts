import { SonarSettings } from '@gantry/contract/code-quality/sonarqube'
import { z } from 'zod'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import type { Db } from '../../db/tables.gen.ts'

/** `token` is encrypted. An empty `url` means that the server was removed. */
const Stored = z.object({ ...SonarSettings.shape, token: z.string(), revision: z.number().int() })
export type StoredSonar = z.infer<typeof Stored>

const name = 'sonarqube'

export const findSonar = (db: Db): Promise<StoredSonar | undefined> => findSetting(db, name, Stored)

/** Reads and locks it until the transaction ends. */
export const lockSonar = (db: Db): Promise<StoredSonar | undefined> => lockSetting(db, name, Stored)

export const writeSonar = (db: Db, settings: StoredSonar): Promise<void> => writeSetting(db, name, settings)
