import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Look, looks } from '../story.ts'

/** The screens with the most complaints in a week of use: docs/images/screens has pictures of them. */
const screens = new Set([
  'new-dashboard',
  'pipeline-v1-list',
  'cd-create',
  'cd-build-info',
  'app-list',
  'containers',
  'service-upgrade',
  'cluster-detail',
  'audit-logs',
  'sys-role-edit',
])

/**
 * Takes pictures of a screen in each width, as small files, into the folder that GANTRY_PICTURES names, for example
 * docs/images/screens/after. Restores the window size of the look.
 */
export async function takePictures(
  page: Page,
  name: string,
  { language, width: own }: Look,
  open: () => Promise<unknown>,
): Promise<void> {
  const folder = process.env['GANTRY_PICTURES']
  if (!folder || !screens.has(name)) return
  mkdirSync(folder, { recursive: true })
  const session = await page.context().newCDPSession(page)
  for (const { width } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await open()
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
    writeFileSync(join(folder, `${name}-${language}-${width}.webp`), Buffer.from(data, 'base64'))
  }
  await session.detach()
  await page.setViewportSize({ width: own, height: 900 })
}

/**
 * Takes a picture of a story's wide, English screen, into the folder that GANTRY_PICTURES names: docs/images has those
 * of the manual and the README.
 */
export async function takePicture(page: Page, name: string, { language, width }: Look): Promise<void> {
  const folder = process.env['GANTRY_PICTURES']
  if (!folder || language !== 'en' || width < 1440) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}
