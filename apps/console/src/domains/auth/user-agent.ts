/** The usual names of the browser and the system in a User-Agent header; empty if it does not tell. */
export interface Agent {
  browser: string
  system: string
}

/** In this order, because most browsers also claim to be those further down. */
const browsers: readonly [RegExp, string][] = [
  [/\b(Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (text: string, names: readonly [RegExp, string][]): string =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? ''

/** Tools name themselves first: curl/8.5.0. Every browser begins with Mozilla. */
const toolIn = (text: string): string => {
  const name = /^([A-Za-z][A-Za-z0-9_.-]{0,29})(\/|$)/.exec(text)?.[1] ?? ''
  return name === 'Mozilla' ? '' : name
}

const handhelds = new Set(['Android', 'iPhone', 'iPad'])

export const isHandheld = ({ system }: Agent): boolean => handhelds.has(system)

export const agentOf = (userAgent: string): Agent => ({
  browser: nameIn(userAgent, browsers) || toolIn(userAgent),
  system: nameIn(userAgent, systems),
})
