import { mask } from '@gantry/contract/validators'

/** A request as a controller logged it. Names are the controller's own; '' if the line has none. */
export interface Access {
  method: string
  host: string
  /** The values of its query are masked. */
  path: string
  status: number
  /** In milliseconds. */
  duration: number | null
  client: string
  /** Traefik's router, which matched the request. */
  router: string
  /** The namespace of the Ingress that matched, which only newer releases of Traefik tell. */
  namespace: string
  /** ingress-nginx's upstream, which belongs to the path that matched. */
  upstream: string
  /** The controller's name of what answered. */
  answered: string
  /** The address that answered, without its port. */
  address: string
}

/** Longer lines are skipped: names and addresses, which callers choose, fill at most a few thousand characters. */
const longestLine = 16 * 1024
const longestPath = 1024
const short = (text: string) => text.slice(0, 256)

/** A path with the names in its query, but not the values: these can be secrets. A part without a name is a value. */
export function maskQuery(target: string): string {
  // a request to a proxy has a whole address, perhaps with a password
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const at = path.search(/[?#]/)
  if (at === -1) return path.slice(0, longestPath)
  if (path[at] === '#') return `${path.slice(0, at)}#${mask}`.slice(0, longestPath)
  const parts = path
    .slice(at + 1)
    .split(/[&;]/)
    .map((part) => {
      const equals = part.indexOf('=')
      return part === '' ? '' : equals === -1 ? mask : `${part.slice(0, equals)}=${mask}`
    })
  return `${path.slice(0, at)}?${parts.join('&')}`.slice(0, longestPath)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const hostOf = (address: string): string => address.replace(/^https?:\/\//, '').replace(/:\d+$/, '')

/** Names of the status in the JSON of controllers whose format was changed. */
const statusNames = ['status', 'response_code', 'OriginStatus']

function fromJson(line: string): Access | 'nameless' | undefined {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof read !== 'object' || read === null) return undefined
  const fields = read as Record<string, unknown>
  const status = fields['DownstreamStatus']
  if (typeof status !== 'number' || !Number.isInteger(status))
    return statusNames.some((name) => /^\d{3}$/.test(String(fields[name]))) ? 'nameless' : undefined
  const router = textOf(fields['RouterName'])
  // a request that no router matched has no name either
  if (router === '' && status !== 404) return 'nameless'
  const duration = fields['Duration']
  return {
    method: short(textOf(fields['RequestMethod'])),
    host: short(textOf(fields['RequestHost'])).toLowerCase(),
    path: maskQuery(textOf(fields['RequestPath'])),
    status,
    duration: typeof duration === 'number' ? Math.round(duration / 10_000) / 100 : null,
    client: short(textOf(fields['ClientHost'])),
    router,
    namespace: textOf(fields['KubernetesIngressNamespace']),
    upstream: '',
    answered: textOf(fields['ServiceName']),
    address: hostOf(textOf(fields['ServiceAddr'])),
  }
}

/**
 * The controller writes its own fields at the end, after what the caller sent. A user name, unlike the rest, is written
 * as it was sent, before the request: a line that could be read in two ways is not read at all.
 */
function fromTraefik(line: string): Access | undefined {
  const end = /" (?:\d+|-) "([^"]*)" "([^"]*)" (\d+)ms$/.exec(line)
  const at = line.indexOf('] "')
  if (!end || at === -1 || at !== line.lastIndexOf('] "')) return undefined
  const request = /^(\S+) (\S+) \S+" (\d{3}) /.exec(line.slice(at + 3))
  if (!request) return undefined
  const [, router = '', server = '', milliseconds] = end
  const [, method = '', path = '', status] = request
  return {
    method: short(method),
    host: '',
    path: maskQuery(path),
    status: Number(status),
    duration: Number(milliseconds),
    client: short(line.slice(0, Math.max(0, line.indexOf(' - ')))),
    router: router === '-' ? '' : router,
    namespace: '',
    upstream: '',
    answered: '',
    address: server === '-' ? '' : hostOf(server),
  }
}

/**
 * nginx escapes the quotes in what a caller sends, so that a line has exactly six. The fields are read from after the
 * last one, because the line ends with an id that a caller may choose.
 */
function fromNginx(line: string): Access | undefined {
  const parts = line.split('"')
  const [start = '', request = '', result = '', , , , end = ''] = parts
  if (parts.length !== 7) return undefined
  const status = /^ (\d{3}) \S+ $/.exec(result)?.[1]
  const fields = /^ \S+ (\S+) \[([^\]]*)\] \[([^\]]*)\] (?:\S+, )*(\S+) /.exec(end)
  if (status === undefined || !fields) return undefined
  const [, seconds, upstream = '', alternative = '', address = ''] = fields
  const [, method = '', path = ''] = /^(\S+) (.*) HTTP\/\S+$/.exec(request) ?? []
  return {
    method: short(method),
    host: '',
    path: maskQuery(path),
    status: Number(status),
    duration: Number.isFinite(Number(seconds)) ? Math.round(Number(seconds) * 1000) : null,
    client: short(start.slice(0, Math.max(0, start.indexOf(' - ')))),
    router: '',
    namespace: '',
    upstream,
    answered: alternative === '' || alternative === '-' ? upstream : alternative,
    address: address === '-' ? '' : hostOf(address),
  }
}

/** A request in a line of a controller's log; `nameless` if the line does not say whose it was. */
export function parseAccess(line: string): Access | 'nameless' | undefined {
  if (line.length > longestLine) return undefined
  if (line.startsWith('{')) return fromJson(line)
  const read = fromTraefik(line) ?? fromNginx(line)
  return read ?? (/"[A-Z]+ \S+ HTTP\/[\d.]+" \d{3} /.test(line) ? 'nameless' : undefined)
}
