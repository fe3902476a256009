import { OauthSettings } from '@gantry/contract/oauth/provider'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { findSetting, writeSetting } from '../../db/setting.ts'
import type { Tables } from '../../db/tables.gen.ts'

/** `clientSecret` is encrypted, or empty. */
const Stored = z.object({ ...OauthSettings.shape, clientSecret: z.string() })
export type StoredSettings = z.infer<typeof Stored>

const name = 'oauth'

export const findSettings = (db: Kysely<Tables>): Promise<StoredSettings | undefined> => findSetting(db, name, Stored)

export const writeSettings = (db: Kysely<Tables>, settings: StoredSettings): Promise<void> =>
  writeSetting(db, name, settings)
