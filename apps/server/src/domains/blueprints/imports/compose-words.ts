/** Splits a command into words like a shell: quotes group, a backslash escapes the next character. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at] ?? ''
    if (quote === '' && /\s/.test(one)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (one === quote) quote = ''
    else if (quote === '' && (one === '"' || one === "'")) {
      quote = one
      word ??= ''
    } else if (one === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1
      word = (word ?? '') + (text[at] ?? '')
    } else word = (word ?? '') + one
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Seconds of a duration such as `1m30s` or `500ms`, rounded up; undefined if it is not a duration. */
export function secondsOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(us|ms|s|m|h))+$/.test(text)) return /^\d+$/.test(text) ? Number(text) : undefined
  const units: Record<string, number> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }
  let sum = 0
  for (const [, figure, unit] of text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h)/g))
    sum += Number(figure) * (units[unit ?? ''] ?? 0)
  return Math.ceil(sum)
}

/** Replaces variables by their defaults, since no shell sets them here. `missing`: variables without a default. */
export function filled(text: string): { text: string; missing: string[] } {
  const missing: string[] = []
  const value = text.replaceAll(
    /\$(?:\$|\{([A-Za-z_]\w*)(?:(:?[-+?])([^{}]*))?\}|([A-Za-z_]\w*))/g,
    (found: string, named?: string, how?: string, rest?: string, plain?: string) => {
      if (found === '$$') return '$'
      if (how === '-' || how === ':-') return rest ?? ''
      if (how === '+' || how === ':+') return ''
      missing.push(named ?? plain ?? '')
      return ''
    },
  )
  return { text: value, missing }
}

interface PortText {
  from: number
  to: number
  protocol: string
}

/** The container's ports in Compose's short form: `80`, `8080:80`, `127.0.0.1:8080:80/udp`, `3000-3005`. */
export function portText(text: string): PortText | undefined {
  const [, first, last, protocol = 'tcp'] =
    /^(?:[^/]*:)?(\d{1,5})(?:-(\d{1,5}))?(?:\/(tcp|udp|sctp))?$/i.exec(text) ?? []
  if (first === undefined) return undefined
  const [from, to] = [Number(first), Number(last ?? first)]
  return to < from || to - from > 49 ? undefined : { from, to, protocol: protocol.toUpperCase() }
}

export interface VolumeText {
  source: string | undefined
  target: string
  readOnly: boolean
}

/** Compose's short form of a mount: `data:/var/lib:ro`, `./here:/there`, `/scratch`. */
export function volumeText(text: string): VolumeText {
  const [first = '', second, mode = ''] = text.split(':')
  return second === undefined
    ? { source: undefined, target: first, readOnly: false }
    : { source: first, target: second, readOnly: mode.split(',').includes('ro') }
}
