import { OauthSettings } from '@gantry/contract/oauth/provider'
import { z } from 'zod'
import { findSetting, writeSetting } from '../../db/setting.ts'
import type { Db } from '../../db/tables.gen.ts'

/** `clientSecret` is encrypted, or empty. */
const Stored = z.object({ ...OauthSettings.shape, clientSecret: z.string() })
export type StoredSettings = z.infer<typeof Stored>

const name = 'oauth'

export const findSettings = (db: Db): Promise<StoredSettings | undefined> => findSetting(db, name, Stored)

export const writeSettings = (db: Db, settings: StoredSettings): Promise<void> => writeSetting(db, name, settings)
