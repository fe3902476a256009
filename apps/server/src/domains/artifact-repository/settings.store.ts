import { ArtifactRepository } from '@gantry/contract/artifact-repository/artifact-repository'
import { z } from 'zod'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import type { Db } from '../../db/tables.gen.ts'

/** `password` is encrypted. An empty `url` means that the repository was removed. */
const Stored = z.object({ ...ArtifactRepository.shape, password: z.string(), revision: z.number().int() })
export type StoredRepository = z.infer<typeof Stored>

const name = 'artifact-repository'

export const findRepository = (db: Db): Promise<StoredRepository | undefined> => findSetting(db, name, Stored)

/** Reads and locks it until the transaction ends. */
export const lockRepository = (db: Db): Promise<StoredRepository | undefined> => lockSetting(db, name, Stored)

export const writeRepository = (db: Db, stored: StoredRepository): Promise<void> => writeSetting(db, name, stored)
