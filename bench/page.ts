import type { openBrowser } from '../e2e/browser.ts'
import { password } from '../e2e/product.ts'

export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['newPage']>>

/** Signs in as the administrator on the login page; answers when another page is open. */
export async function signIn(page: Page): Promise<void> {
  await page.locator('input').first().fill('admin')
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
}
