import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, onTestFailed } from 'vitest'
import { axeFaults, faultsOf, noBrowser, openBrowser } from './browser.ts'
import { keyboardOf, type Keyboard } from './keyboard.ts'
import { languageFaults } from './language.ts'
import { openProduct, type OpenProduct, password, startProduct, type Product } from './product.ts'

/** The language, theme and width in which a story runs. */
export interface Look {
  language: 'en' | 'zh'
  theme: 'light' | 'dark'
  /** Pixels. */
  width: number
}

/** One person's use of the product in a browser, by keyboard: a mouse click is a fault. */
export interface Story extends Keyboard {
  page: Page
  /** A text in this person's language. */
  say: (key: PhraseKey, vars?: Record<string, string | number>) => string
  /** A form's field by its label, required or not. */
  field: (label: string) => Locator
  /** Checks that the screen is accessible, fits the window with its overlays, and is in one language. */
  check: () => Promise<void>
  /** Another tab of the same browser. */
  tab: () => Promise<Story>
  /**
   * Checks that no page violated the content security policy, logged an error, threw, or requested another host. A
   * browser logs an error for each refused answer, even of a websocket: expected ones are given by their addresses.
   */
  end: (...refused: RegExp[]) => Promise<void>
}

/** Shared by the stories of one file: a running product, and a browser. */
export interface Suite {
  product: OpenProduct
  /** A browser in this look, without a login; `abroad` is the origin of a provider to which users are sent. */
  open: (abroad?: string) => Promise<Story>
  /** A browser in this look in which this user has logged in by keyboard, at the dashboard. */
  enter: (username: string, given?: string) => Promise<Story>
}

/** Every theme, width and language once; together both values of each. */
export const looks: readonly Look[] = [
  { language: 'en', theme: 'light', width: 1440 },
  { language: 'zh', theme: 'dark', width: 360 },
]

/** The gate runs a file in one of the looks, chosen by its title so that each look gets about as many. */
export function looksOf(title: string): readonly Look[] {
  const letters = title.split('').reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return process.env['GANTRY_LOOKS'] === 'one' ? looks.filter((_, at) => at === letters % looks.length) : looks
}

/**
 * Runs the stories of a file once in each look. Without variables of their own they use the product that all such files
 * share, so names of users and teams must begin with a prefix unique to the file. The suite is available in tests, not
 * before.
 */
export function stories(
  title: string,
  tell: (suite: () => Suite, look: Look) => void,
  env?: Record<string, string>,
): void {
  describe.skipIf(noBrowser)(`${title}${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
    let product: OpenProduct
    let own: Product | undefined
    let browser: Browser
    beforeAll(async () => {
      const shared = env ? undefined : inject('product')
      const opened = shared ? openProduct(shared) : startProduct(env, 'npm start').then((started) => (own = started))
      ;[product, browser] = await Promise.all([opened, openBrowser()])
    })
    afterAll(async () => {
      await browser?.close()
      await own?.stop()
    })
    describe.each(looksOf(title))('$language, $theme, $width px', (look) => {
      tell(() => {
        const open = (abroad?: string) => openStory(browser, product.url, look, abroad)
        return {
          product,
          open,
          enter: async (username, given = password) => {
            const story = await open()
            await story.page.goto('/login')
            await signIn(story, username, given)
            await story.page.waitForURL('**/dashboard')
            return story
          },
        }
      }, look)
    })
  })
}

/** Fills in the open login page. */
export async function signIn({ page, say, write }: Story, username: string, given: string): Promise<void> {
  await write(page.getByLabel(say('auth-username-or-email')), username)
  await write(page.getByLabel(say('auth-password'), { exact: true }), given)
  await page.keyboard.press('Enter')
}

export async function openStory(browser: Browser, url: string, look: Look, abroad?: string): Promise<Story> {
  const { language, theme, width } = look
  const context = await browser.newContext({
    baseURL: url,
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    colorScheme: theme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(() =>
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && reportError(new Error('a mouse was used')), true),
  )
  return openTab(context, url, look, abroad)
}

/**
 * A page that repeats navigations that fail because the machine's networks changed, as they do with each pod of a
 * cluster on it: the browser then aborts loads, and the console reloads itself.
 */
async function steadyPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const goto = page.goto.bind(page)
  page.goto = async (...where) => {
    for (let again = 2; ; again -= 1)
      try {
        return await goto(...where)
      } catch (error) {
        if (again === 0 || !/ERR_NETWORK_CHANGED|ERR_ABORTED|interrupted by another navigation/.test(String(error)))
          throw error
      }
  }
  return page
}

async function openTab(context: BrowserContext, url: string, look: Look, abroad?: string): Promise<Story> {
  const { language, theme, width } = look
  const page = await steadyPage(context)
  const faults = faultsOf(page, url, abroad)
  const unanswered = unansweredOf(page)
  onTestFailed(async ({ task }) => {
    const name = `${task.name} ${language} ${theme} ${width}`.replaceAll(/[^\w]+/g, '-')
    const picture = join(tmpdir(), `gantry-story-${name}.png`)
    await page.screenshot({ path: picture, fullPage: true })
    const seen = [`the page as it was: ${picture}`, page.url(), ...faults, ...unanswered, ...(await openParts(page))]
    // in the error, so that it is part of the summary of the run
    for (const error of task.result?.errors ?? []) error.message += `\n${seen.join('\n')}`
  })
  const words: Record<PhraseKey, string> = language === 'zh' ? zh : en
  return {
    ...keyboardOf(page),
    page,
    say: (key, vars) => fill(words[key], vars),
    field: (label) =>
      page
        .getByLabel(label, { exact: true })
        .or(page.getByLabel(`${label} ${words['ui-optional']}`, { exact: true }))
        // a radio card that opens a field may have the field's name
        .and(page.locator(':not([type=radio])')),
    check: async () => {
      // a screen is checked once it is drawn
      await page.locator('h1').first().waitFor({ state: 'attached' })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const found = {
        outside: await popupsOutside(page),
        axe: await axeFaults(page),
        overflow: Math.max(0, overflow),
        otherLanguage: await languageFaults(page, language),
      }
      expect({ at: page.url(), ...found }).toEqual({
        at: page.url(),
        outside: [],
        axe: [],
        overflow: 0,
        otherLanguage: [],
      })
    },
    tab: () => openTab(context, url, look, abroad),
    end: async (...refused) => {
      const isMeant = (fault: string) =>
        /^console: (Failed to load resource|WebSocket connection to)/.test(fault) &&
        refused.some((address) => address.test(fault))
      expect(faults.filter((fault) => !isMeant(fault))).toEqual([])
      await context.close()
    },
  }
}

/** The unanswered requests of the page. The set changes while the page is open. */
function unansweredOf(page: Page): Set<string> {
  const requests = new Set<string>()
  const words = (request: Request) => `no answer yet: ${request.method()} ${request.url()}`
  page.on('request', (request) => requests.add(words(request)))
  page.on('requestfinished', (request) => requests.delete(words(request)))
  page.on('requestfailed', (request) => requests.delete(words(request)))
  return requests
}

/** The texts of overlays, and the focused element. */
const openParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...[...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alert], .g-toast')].map(
      (element) => `open: ${element.innerText.replaceAll('\n', ' | ')}`,
    ),
    `focus: ${document.activeElement?.outerHTML.slice(0, 300)}`,
  ])

/** Open menus, lists and dialogs that are invisible because they are outside the window. */
const popupsOutside = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.ant-dropdown, .ant-select-dropdown, .ant-popover, .ant-modal')]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight
      })
      .map(({ className }) => className),
  )
