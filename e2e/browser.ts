import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'

const candidates = [
  process.env['GANTRY_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const browserPath = candidates.find((path): path is string => path !== undefined && existsSync(path))

/** Why no story can run here; undefined if they can. */
export const noBrowser = browserPath
  ? undefined
  : 'no Chromium: install one (Debian: apt-get install chromium), or name it by GANTRY_CHROMIUM'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? '',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })

/**
 * Faults of a page: violations of the content security policy, errors in the console, exceptions, requests to other
 * hosts. The list grows while the page is open; a story expects it to be empty. `abroad` is an origin to which the
 * product may send the browser; faults of its pages do not count.
 */
export function faultsOf(page: Page, origin: string, abroad?: string): string[] {
  const faults: string[] = []
  const isAbroad = (url: string) => abroad !== undefined && url.startsWith(`${abroad}/`)
  page.on('console', (message) => {
    // The machine's networks changed, for example because a cluster started on it: the console reloads itself.
    if (message.text().includes('ERR_NETWORK_CHANGED') || isAbroad(page.url())) return
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => {
    if (!isAbroad(page.url())) faults.push(`thrown: ${error.message}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (isAbroad(url) && (request.isNavigationRequest() || isAbroad(page.url()))) return
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`asked another host: ${url}`)
  })
  return faults
}

/**
 * Opens a page of the console and waits until it is drawn. A load that the browser aborted because the machine's
 * networks changed (a cluster started on it) is repeated, and its faults are dropped.
 */
export async function visit(page: Page, url: string, faults: string[]): Promise<void> {
  for (let again = 2; ; again -= 1) {
    faults.length = 0
    await page.goto(url)
    const drawn = page.locator('h1').first().waitFor({ timeout: 15_000 })
    if (again === 0) return drawn
    if (
      await drawn.then(
        () => true,
        () => false,
      )
    )
      return
  }
}

/** Violations of WCAG 2.2 AA in a page, or a part of it, with their places; expected to be empty. */
export async function axeFaults(page: Page, part = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([selector, options]) => {
      // elsewhere `axe` is the imported module, which does not exist in the browser
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(selector, options)
      return violations.flatMap((rule) =>
        rule.nodes.map((node) => `${rule.id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
      )
    },
    [part, axeOptions] as const,
  )
}

const axeOptions: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Menus and select fields open at the end of the body, outside every landmark.
  rules: { region: { enabled: false } },
  // Passed checks are only counted, because describing them takes longer than checking.
  resultTypes: ['violations'],
}
