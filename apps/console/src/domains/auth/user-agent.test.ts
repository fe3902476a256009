import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentOf, isHandheld } from './user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.for([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/143.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
    'Edge',
    'Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`,
    'Opera',
    'Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.6; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'macOS'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/143.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
  ['curl/8.5.0', 'curl', ''],
  ['python-requests/2.32.3', 'python-requests', ''],
  ['Mozilla/5.0 (compatible)', '', ''],
  ['', '', ''],
] as const)('%s', ([userAgent, browser, system]) => {
  expect(agentOf(userAgent)).toEqual({ browser, system })
})

test.for([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)', true],
  ['Mozilla/5.0 (Linux; Android 10; K)', true],
  ['Mozilla/5.0 (X11; Linux x86_64)', false],
  ['', false],
] as const)('%s is on a phone or tablet: %s', ([userAgent, handheld]) => {
  expect(isHandheld(agentOf(userAgent))).toBe(handheld)
})

test('gives short, plain names whatever the header contains', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const { browser, system } = agentOf(text)
      expect(browser).toMatch(/^[\w.\- ]{0,30}$/)
      expect(system).toMatch(/^\w{0,10}$/)
    }),
  )
})
