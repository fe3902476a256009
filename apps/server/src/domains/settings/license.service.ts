import { type License, LicenseClaims, type LicenseStatus } from '@gantry/contract/settings/license'
import { licenseWarningMs } from '@gantry/contract/settings/license-warning'
import { z } from 'zod'
import { databaseNow } from '../../db/clock.ts'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { keyIdOf, verifyLicense, written } from './license.ts'

/** The claims were verified when saved, with the issuer's key, so that reading them needs no parsing. */
const Stored = z.object({ issuer: z.string(), license: LicenseClaims.nullable() })

const name = 'license'

const issuerOf = ({ config }: Pick<Ctx, 'config'>): string =>
  config.licenseKey === undefined ? '' : keyIdOf(config.licenseKey)

/** The license, unless it is of another issuer or its key was removed. */
const counting = (ctx: Ctx, stored: z.infer<typeof Stored> | undefined): License => {
  const issuer = issuerOf(ctx)
  return { issuer, license: stored && issuer !== '' && stored.issuer === issuer ? stored.license : null }
}

export const readLicense = async (ctx: Ctx): Promise<License> => counting(ctx, await findSetting(ctx.db, name, Stored))

export async function readStatus(ctx: Ctx): Promise<LicenseStatus> {
  const { license } = await readLicense(ctx)
  if (!license) return { expired: false, expiresInTenDays: false, expiredAt: null, message: '' }
  const { expiredAt } = license
  const left = Date.parse(expiredAt) - (await databaseNow(ctx.db)).getTime()
  const expired = left <= 0
  const expiresInTenDays = !expired && left <= licenseWarningMs
  const message = expired
    ? say(ctx.lang, 'license-expired')
    : expiresInTenDays
      ? say(ctx.lang, 'license-expiring', { time: written(expiredAt) })
      : ''
  return { expired, expiresInTenDays, expiredAt, message }
}

export async function writeLicense(ctx: Ctx, given: string): Promise<License> {
  const key = ctx.config.licenseKey
  if (key === undefined && given !== '') throw new Fault('conflict', 'license-no-issuer')
  const license = key === undefined || given === '' ? null : verifyLicense(given, key, await databaseNow(ctx.db))
  return inTx(ctx, async (ctx) => {
    const before = counting(ctx, await lockSetting(ctx.db, name, Stored))
    const after: License = { issuer: issuerOf(ctx), license }
    note(ctx, { object: (license ?? before.license)?.holder ?? '–', before: before.license, after: license })
    await writeSetting(ctx.db, name, after)
    return after
  })
}
