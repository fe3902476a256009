import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults, faultsOf, noBrowser, openBrowser, visit } from './browser.ts'

/**
 * Every component of the kit in all its states, in a real browser, in both themes and widths: no axe violation, no
 * violation of the content security policy, no request to another host. Built like the product, with the workshop's
 * page.
 */
const console_ = join(import.meta.dirname, '../apps/console')
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

/** Serves a build as the product's server does: a fresh nonce in index.html and in the policy. */
function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = types[extname(path)] ? normalize(path) : '/index.html'
    const send = (body: string | Buffer, headers: Record<string, string>) => {
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain', ...headers })
      response.end(body)
    }
    if (path.startsWith('/api/')) {
      const data =
        path === '/api/public/ldaps'
          ? []
          : { productName: 'Gantry', version: '', registration: false, oauth: false, sandbox: true }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ status: 1, data, errorMsg: null, code: 200, message: '' }))
      return
    }
    readFile(join(folder, file)).then(
      (body) => {
        if (file !== '/index.html') return send(body, {})
        const nonce = randomBytes(16).toString('base64')
        return send(body.toString().replaceAll('__GANTRY_NONCE__', nonce), {
          'content-security-policy': [
            "default-src 'none'",
            `script-src 'self' 'nonce-${nonce}'`,
            `style-src 'self' 'nonce-${nonce}'`,
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
          ].join('; '),
        })
      },
      () => {
        response.writeHead(404)
        response.end()
      },
    )
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe.skipIf(noBrowser)(`the kit${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  let folder = ''
  let server: Server
  let browser: Browser
  let origin = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-kit-'))
    await build({
      root: console_,
      configFile: join(console_, 'vite.config.ts'),
      mode: 'kit',
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    })
    server = await serve(folder)
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (
    path: string,
    { colorScheme, width, locale = 'en-US' }: { colorScheme: 'light' | 'dark'; width: number; locale?: string },
  ) => {
    const context = await browser.newContext({
      colorScheme,
      locale,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const faults = faultsOf(page, origin)
    await visit(page, origin + path, faults)
    return { page, faults, close: () => context.close() }
  }

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 360],
    ['dark', 360],
  ] as const)('every component, %s, %i px wide', async (colorScheme, width) => {
    const { page, faults, close } = await open('/dev/kit', { colorScheme, width })
    await page.getByText('1000000', { exact: true }).first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
    await close()
  })

  test.each(['light', 'dark'] as const)(
    'overlays: a dialog, a menu, a select field, a toast, the bulk dialog, %s',
    async (colorScheme) => {
      const { page, faults, close } = await open('/dev/kit', { colorScheme, width: 1440 })
      const check = async (part: string) => expect(await axeFaults(page, part)).toEqual([])
      await page.getByRole('button', { name: 'Typed confirmation' }).click()
      // The reason for a disabled button is shown by keyboard, and Escape closes the reason, not the dialog.
      const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
      await page.keyboard.press('Tab')
      await remove.focus()
      const why = page.getByRole('tooltip')
      await why.waitFor()
      expect(await remove.getAttribute('aria-describedby')).toBe(await why.getAttribute('id'))
      await check('.ant-tooltip')
      await page.keyboard.press('Escape')
      await why.waitFor({ state: 'hidden' })
      await page.getByLabel('Type ok to confirm').fill('ok')
      await check('[role=dialog]')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Error', exact: true }).click()
      await page.locator('.g-toast', { hasText: 'immutable' }).hover()
      await check('.g-toasts')
      await page.getByRole('button', { name: 'Actions for ledger', exact: true }).click()
      await page.getByRole('menuitem').first().waitFor()
      await check('.ant-dropdown')
      await page.keyboard.press('Escape')
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Run' }).click()
      await page.getByText('10 of 10 done, 3 failed').waitFor()
      await check('[role=dialog]')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await page.getByRole('combobox', { name: 'Person' }).click()
      await page.getByText('image-resizer').last().waitFor()
      await check('.ant-select-dropdown')
      expect(faults).toEqual([])
      await close()
    },
  )

  test('a log of a million lines opens at its end, is searched, linked and followed', async () => {
    const { page, faults, close } = await open('/dev/kit', { colorScheme: 'light', width: 1440 })
    const log = page.getByRole('region', { name: 'build 128, step test' })
    await log.getByText('1000000', { exact: true }).waitFor()
    expect(await log.locator('.g-log-line').count()).toBeLessThan(200)
    await page.getByPlaceholder('Search the whole log').first().fill('FAIL')
    await page.keyboard.press('Enter')
    await log.getByRole('button', { name: 'Link to line 29', exact: true }).waitFor()
    await log.getByRole('button', { name: 'Link to line 29', exact: true }).click()
    await page.waitForURL(({ searchParams }) => searchParams.get('line') === '29')
    await visit(page, page.url(), faults)
    await log.locator('.g-log-lit').getByText('29', { exact: true }).waitFor()
    const live = page.getByRole('region', { name: 'container web' })
    await live.hover()
    await page.mouse.wheel(0, -2000)
    await page.getByRole('button', { name: '500 lines more' }).click()
    await page.getByRole('button', { name: 'New lines: 500' }).click()
    await live.getByText(/module 499 /).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('a terminal echoes, pastes without escape codes, and restarts with Enter', async () => {
    const { page, faults, close } = await open('/dev/kit', { colorScheme: 'dark', width: 1440 })
    const terminal = page.getByRole('group', { name: 'web, container shell' })
    await terminal.click()
    await page.keyboard.type('hello')
    await terminal.getByText('hello').first().waitFor()
    await page.keyboard.press('Enter')
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'safe\u001b[201~paste')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    })
    await terminal.getByText('safe[201~paste').first().waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('exit')
    await page.keyboard.press('Enter')
    await terminal.getByText('Press Enter to reconnect').first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => terminal.getByText('workshop $').count()).toBeGreaterThan(1)
    expect(faults).toEqual([])
    await close()
  })

  test('the editor names line and column, keeps a draft, and shows the changes', async () => {
    const { page, faults, close } = await open('/dev/kit', { colorScheme: 'light', width: 1440 })
    const editor = page.getByRole('textbox', { name: 'YAML editor' })
    await editor.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('a: [1\n')
    await page
      .getByRole('button', { name: /^Line \d+, column \d+/ })
      .first()
      .waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('services: {}\n')
    await visit(page, page.url(), faults)
    await page.getByText(/^Draft of/).waitFor()
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.locator('.cm-mergeView').waitFor()
    expect(await axeFaults(page, '.g-yaml')).toEqual([])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The workshop applies nothing.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test.each([
    ['en-US', 'light', 1440],
    ['zh-CN', 'dark', 1440],
    ['zh-CN', 'light', 360],
  ] as const)('the login, %s, %s, %i px wide', async (locale, colorScheme, width) => {
    const { page, faults, close } = await open('/login', { colorScheme, width, locale })
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
    await close()
  })
})
