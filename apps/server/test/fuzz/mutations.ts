import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { Random } from './random.ts'
import type { Wire } from './wire.ts'

const long = 'x'.repeat(70_000)

/** Values that no field expects; functions create theirs only when drawn. */
const hostile: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  Number.MAX_SAFE_INTEGER,
  1e308,
  1e-308,
  '0',
  '-0',
  'NaN',
  'Infinity',
  '0x10',
  '1e3',
  '١٢٣',
  'null',
  'undefined',
  [],
  {},
  [[]],
  [null],
  { $ne: 1 },
  { toString: 1 },
  { length: 1e9 },
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\ufeff',
  '\u202eabc',
  'e\u0301\u0301\u0301',
  'ﷺ'.repeat(30),
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'ſ İ ı ß',
  "' or 1=1 --",
  "'; select pg_sleep(1); --",
  '%',
  '_',
  '\\',
  '%00',
  '%2e%2e%2f',
  '../../../etc/passwd',
  '..\\..',
  '/',
  '//',
  '-rf',
  '--help',
  '$(id)',
  '`id`',
  '${number}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  'a\r\nx-injected: 1',
  'line\nline',
  '\t',
  '\u001b[31m',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://127.0.0.1:1/\u0000',
  'http://user:pw@127.0.0.1:1/',
  'http://[::1]:1/',
  'http://0x7f000001:1/',
  'ldap://127.0.0.1:99999',
  '(((((((((((a)*)*)*)*)*)*)*)*)*)*)',
  '*'.repeat(500),
  () => long,
  () => Array.from({ length: 5_000 }, (_, at) => at),
  () => Array.from({ length: 2_000 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, at])),
  () => JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown,
  () => JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) as unknown,
]

const oneHostile = (random: Random): unknown => {
  const one = random.pick(hostile)
  return typeof one === 'function' ? (one as () => unknown)() : one
}

/** The value with one of its parts replaced by a hostile one, removed or duplicated, or with an unknown part added. */
export function mutated(value: unknown, random: Random): unknown {
  const inside = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!inside || random.chance(0.08)) return changed(value, random)
  if (Array.isArray(value)) {
    const at = random.int(value.length)
    if (random.chance(0.1)) return [...value, ...value]
    return value.map((one: unknown, index) => (index === at ? mutated(one, random) : one))
  }
  const entries = Object.entries(value)
  const [name] = random.pick(entries)
  const way = random.int(10)
  if (way === 0) return Object.fromEntries(entries.filter(([key]) => key !== name))
  if (way === 1)
    return { ...value, [random.pick(['extra', 'id', 'admin', 'teamId', name.toUpperCase(), ''])]: oneHostile(random) }
  return Object.fromEntries(entries.map(([key, one]) => [key, key === name ? mutated(one, random) : one]))
}

function changed(value: unknown, random: Random): unknown {
  if (typeof value === 'string' && random.chance(0.4)) return changedText(value, random)
  if (typeof value === 'number' && random.chance(0.4))
    return random.pick([-value, value + 0.5, value * 2 ** 33, String(value)])
  return oneHostile(random)
}

function changedText(text: string, random: Random): string {
  const at = random.int(text.length + 1)
  const more = random.pick(['\u0000', '\u200b', '\u0301', '🙂', "'", '"', '/', '%', ' ', '\n', 'É', text])
  return random.pick([
    () => text.slice(0, at) + more + text.slice(at),
    () => text.slice(0, at),
    () => text.toUpperCase(),
    () => ` ${text} `,
    () => text.repeat(50),
  ])()
}

type WireMutation = (wire: Wire, random: Random) => Wire

const withHeader =
  (name: string, ...values: string[]): WireMutation =>
  (wire, random) => ({
    ...wire,
    headers: [...wire.headers.filter(([given]) => given.toLowerCase() !== name), [name, random.pick(values)]],
  })

const withText =
  (change: (text: string, random: Random) => string | Buffer): WireMutation =>
  (wire, random) => ({
    ...wire,
    payload: Buffer.from(change(wire.payload?.toString('utf8') ?? '{}', random)),
  })

const withTarget =
  (change: (path: string, search: string, random: Random) => string): WireMutation =>
  (wire, random) => {
    const [path = '', search = ''] = wire.target.split('?')
    return { ...wire, target: change(path, search, random) }
  }

const encoded =
  (name: string, encode: (payload: Buffer) => Buffer): WireMutation =>
  (wire, random) =>
    withHeader('content-encoding', name)({ ...wire, payload: encode(wire.payload ?? Buffer.from('{}')) }, random)

/** Mutations of a request on its way, whatever its content. */
const wireMutations: readonly WireMutation[] = [
  // the first key twice, with another value before or after it
  withText((text) => text.replace(/"(\w+)":/, '"$1":7,"$1":')),
  withText((text) => text.replace(/}$/, text === '{}' ? '"name":1,"name":2}' : ',"name":"twice","name":"thrice"}')),
  withText((text) => text.replace(/^{/, '{"__proto__":{"admin":true},').replace(',}', '}')),
  withText((text) => text.replace(/^{/, '{"constructor":{"prototype":{"admin":true}},').replace(',}', '}')),
  withText((text) => text.replace(/(:)(\d+|true|false|null|"[^"]*")/, (_, colon: string) => `${colon}1e999`)),
  withText((text) => text.replace(/:(\d+)/, ':$1.0000000000000000000001')),
  withText((text, random) => text.slice(0, random.int(text.length + 1))),
  withText((text) => `\ufeff${text}`),
  withText((text) => `${text}${text}`),
  withText((text) => `${text}\u0000`),
  withText((text) => ' '.repeat(500_000) + text),
  withText(() => `[${'{},'.repeat(200_000)}{}]`),
  withText(() => '['.repeat(400_000)),
  withText(() => `"${'\\u0041'.repeat(150_000)}"`),
  withText(() => Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('"}')])),
  withText(() => Buffer.alloc(1024 * 1024 + 1, 0x20)),
  withText((text) => Buffer.from(text, 'utf16le')),
  withText(() => ''),
  (wire) => ({ ...wire, payload: undefined }),
  withHeader(
    'content-type',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'application/vnd.gantry.v1+json',
    '/',
    ';',
  ),
  withHeader('content-encoding', 'gzip', 'zstd', 'br', 'deflate', 'identity', 'x', 'gzip, zstd', ''),
  encoded('gzip', (payload) => gzipSync(payload)),
  encoded('zstd', (payload) => zstdCompressSync(payload)),
  encoded('zstd', () => zstdCompressSync(Buffer.alloc(40 * 1024 * 1024))),
  encoded('zstd', (payload) => zstdCompressSync(payload).subarray(0, 7)),
  withHeader('x-tenant-id', '0', '-1', '1', '2', '999999999', '1 or 1=1', '9'.repeat(400), 'x'),
  withHeader('accept', 'application/vnd.gantry.v9+json', 'text/html', '*/*;q=0', 'a'.repeat(6_000), ','),
  withHeader('accept-language', 'zh', 'zh-CN,en;q=0.1', '*', ','.repeat(300), 'x'.repeat(500)),
  withHeader('accept-encoding', 'gzip', 'br;q=1.0, gzip;q=0', '*', 'x'),
  withHeader(
    'authorization',
    'Bearer',
    'Bearer ',
    'bearer x',
    'Basic Og==',
    `Bearer ${'x'.repeat(5_000)}`,
    'Bearer a b',
    '',
  ),
  withHeader('cookie', 'token=', 'token=x; token=y', `a=${'x'.repeat(4_000)}`, ';;;=', 'token=%00'),
  withHeader('origin', 'null', 'http://elsewhere.example', 'x'),
  withHeader('sec-fetch-site', 'cross-site', 'same-site', 'none', 'x'),
  withHeader('x-forwarded-for', '1.2.3.4', 'x', '::1, 127.0.0.1', ','.repeat(200)),
  withHeader('x-forwarded-proto', 'https', 'x'),
  withHeader('host', 'elsewhere.example', '127.0.0.1', '', 'a b', '[::1]:80', 'x'.repeat(300)),
  withHeader('if-none-match', '*', '"x"'),
  withHeader('range', 'bytes=0-1', 'bytes=9-1', 'x'),
  withHeader('expect', '100-continue', 'x'),
  withHeader('transfer-encoding', 'chunked'),
  withHeader('upgrade', 'h2c', 'websocket'),
  withHeader('x-http-method-override', 'DELETE'),
  withHeader('x-gantry-agent-protocol', '0', '2', 'x'),
  withTarget((path, search) => `${path}?${search}&${search}`),
  withTarget((path, search) => `${path}?${search.replaceAll(/=/g, '[]=')}`),
  withTarget((path, search) => `${path}?${search}&__proto__[x]=1&constructor=1`),
  withTarget((path, search) => `${path}?${search}&pageSize=1&pageSize=-1&requestPage=1;requestPage=2`),
  withTarget((path, search) => `${path}?${search}&lang=zh&lang=xx&authorization=x`),
  withTarget((path, search) => `${path}?${search}&a=%00&b=%ff&c=%`),
  withTarget((path, search) => `${path}?${search}&keyword=${'%25'.repeat(60)}&sort=${encodeURIComponent("name';--")}`),
  withTarget((path, search) => `${path}?${search}&${'x=1&'.repeat(1_500)}`),
  withTarget((path, search) => `${path}/?${search}`),
  withTarget((path, search) => `/${path}?${search}`),
  withTarget((path, search) => `${path.replace('/api', '/%61pi')}?${search}`),
  withTarget((path, search) => `${path.replace(/\/([^/]+)$/, '/./$1/../$1')}?${search}`),
  withTarget((path, search) => `${path}%00?${search}`),
  withTarget((path, search) => `${path.replace(/\/([^/]*)$/, '/%2e%2e%2f$1')}?${search}`),
  withTarget((path, search) => `${path.toUpperCase()}?${search}`),
  withTarget((path) => `${path}?${'k'.repeat(9_000)}=1`),
  withTarget((path) => `http://elsewhere.example${path}`),
  (wire, random) => ({ ...wire, method: random.pick(['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'get']) }),
  (wire, random) => ({ ...wire, method: random.pick(['GET', 'POST', 'PUT']) }),
]

export const mutatedWire: WireMutation = (wire, random) => random.pick(wireMutations)(wire, random)

/** A header's line, written without the checks of a client. */
const lineOf = ([name, value]: [string, string]) => `${name}: ${value}\r\n`

/** The request as contradictory bytes: about its end, or its host. */
export function brokenBytes({ method, target, headers, payload }: Wire, host: string, random: Random): Buffer {
  const body = payload ?? Buffer.from('')
  const own = headers
    .filter(([name]) => name !== 'content-length')
    .map(lineOf)
    .join('')
  const first = `${method} ${target} HTTP/1.1\r\n`
  const to = lineOf(['host', host])
  const length = lineOf(['content-length', String(body.length)])
  const close = lineOf(['connection', 'close'])
  const smuggled = `GET /api/users HTTP/1.1\r\n${to}\r\n`
  const texts: (() => string | Buffer)[] = [
    () =>
      Buffer.concat([
        Buffer.from(first + to + lineOf(['host', 'elsewhere.example']) + own + length + close + '\r\n'),
        body,
      ]),
    () => Buffer.concat([Buffer.from(`${first}${own}${length}${close}\r\n`), body]),
    () =>
      `${first}${to}${own}${lineOf(['content-length', '6'])}${lineOf(['transfer-encoding', 'chunked'])}${close}\r\n0\r\n\r\n${smuggled}`,
    () => `${first}${to}${own}${lineOf(['transfer-encoding', 'chunked'])}${close}\r\nzz\r\n{}\r\n0\r\n\r\n`,
    () => `${first}${to}${own}${lineOf(['transfer-encoding', 'xchunked'])}${close}\r\n0\r\n\r\n`,
    () => `${first}${to}${own}${length}${length}${close}\r\n${body.toString()}`,
    () => `${first}${to}${own}${lineOf(['content-length', '5'])}${lineOf(['content-length', '7'])}${close}\r\n1234567`,
    () => `${first}${to}${own}${lineOf(['content-length', '-1'])}${close}\r\n`,
    () => `${first}${to}${own}${lineOf(['content-length', '1000'])}${close}\r\n${body.toString().slice(0, 20)}`,
    () => `${first}${to}${own}no colon here\r\n${close}\r\n`,
    () => `${first}${to}${own}x: a\r\n folded\r\n${close}\r\n`,
    () => `${first}${to}${own}x\u0000y: 1\r\n${close}\r\n`,
    () => `${first}${to}${own}${'a: b\r\n'.repeat(3_000)}${close}\r\n`,
    () => `${method} ${target} HTTP/1.0\r\n${own}\r\n`,
    () => `${method} ${target} HTTP/9.9\r\n${to}\r\n`,
    () => `${method} ${target}\r\n\r\n`,
    () => `${method} * HTTP/1.1\r\n${to}${close}\r\n`,
    () => `${method} ${target.slice(0, 30)} ${target.slice(30)} x HTTP/1.1\r\n${to}${close}\r\n`,
    () => `${first}${to}${own}${length}\r\n${body.toString()}${first}${to}${close}\r\n`,
    () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    () => Buffer.from(Array.from({ length: 300 }, () => random.int(256))),
  ]
  return Buffer.from(random.pick(texts)())
}
